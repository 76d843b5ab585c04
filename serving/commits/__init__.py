"""How writes of the live side reach the database: actions that share one transaction, and statements that share one journey."""
