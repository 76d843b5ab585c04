"""Which of two systems people prefer: draws, votes, Bradley-Terry boards."""
