"""How pages look: the ruler, icons, and the tags that draw them. It knows no other room."""
