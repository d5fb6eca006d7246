"""Tests of the measures, beside the slow definitions they are held to."""
