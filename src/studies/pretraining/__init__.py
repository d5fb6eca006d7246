"""What the chapters on Ghate et al. (2025) share."""
