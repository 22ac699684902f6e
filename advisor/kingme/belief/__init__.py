"""Who has which favourites: exact Bayes over deals under a stated model of play."""
