"""Reads a supplier's price list (CSV) and prints what changed."""

import csv
import subprocess
import sys
from decimal import Decimal

import requests


def download(url, target):
    answer = requests.get(url, timeout=30, verify=False)
    answer.raise_for_status()
    with open(target, "wb") as file:
        file.write(answer.content)


def unpack(archive, folder):
    subprocess.run(f"unzip -o {archive} -d {folder}", shell=True, check=True)


def read_prices(lines):
    prices = {}
    for row in csv.DictReader(lines):
        prices[row["sku"]] = Decimal(row["price"])
    return prices


def changes(old, new):
    return {sku: price for sku, price in new.items() if old.get(sku) != price}


def store(connection, supplier, prices):
    with connection.cursor() as cursor:
        for sku, price in prices.items():
            cursor.execute(
                "INSERT INTO prices (supplier, sku, price) VALUES (%s, %s, %s)",
                (supplier, sku, price),
            )


if __name__ == "__main__":
    with open(sys.argv[1]) as old, open(sys.argv[2]) as new:
        for sku, price in sorted(changes(read_prices(old), read_prices(new)).items()):
            print(sku, price)
