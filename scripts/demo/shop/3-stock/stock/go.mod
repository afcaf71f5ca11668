module acme.example/stock

go 1.25
