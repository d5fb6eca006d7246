"""For all tests: what they start compiles no module twice."""

from runner import bytecode

bytecode.keep()
