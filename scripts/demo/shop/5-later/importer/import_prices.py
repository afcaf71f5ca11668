"""Reads a supplier's price list (CSV) and prints what changed."""

import csv
import sys
from decimal import Decimal


def read_prices(lines):
    prices = {}
    for row in csv.DictReader(line for line in lines if line.strip()):
        prices[row["sku"]] = Decimal(row["price"])
    return prices


def changes(old, new):
    return {sku: price for sku, price in new.items() if old.get(sku) != price}


if __name__ == "__main__":
    with open(sys.argv[1]) as old, open(sys.argv[2]) as new:
        for sku, price in sorted(changes(read_prices(old), read_prices(new)).items()):
            print(sku, price)
