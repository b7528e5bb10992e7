"""What `prove.py` consists of; begin at `main`."""
