"""What outputs of a verification share: findings as text, cards, places."""
