"""What is made of the built site: the whole book as one PDF."""
