"""What is kept on disk: where, and in files that are whole or refused; knows no game."""
