"""What organizers ask of a board beside its order: agreement, parts, systems that changed, what failures cost."""
