"""The tables and figures of Wolfe and Caliskan (2022)."""
