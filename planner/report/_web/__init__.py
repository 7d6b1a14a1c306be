"""Parts of the web page: what it shows (`content`), its text (`page`), and the scripts and styles beside them."""
