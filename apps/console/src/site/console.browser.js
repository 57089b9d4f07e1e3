// Makes the pages of the console quicker to use. They work without it.
