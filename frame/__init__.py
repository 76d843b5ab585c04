"""What every page stands in: tabs, the front page, a campaign's page, pages for errors, the page of parts."""
