module example.com/robotstxt

go 1.18
