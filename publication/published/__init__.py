"""What anybody reads of a published board, from its frozen document and bundle alone: records, dialogues, figures, its rule in words."""
