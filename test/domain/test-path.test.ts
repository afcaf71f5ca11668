/** Which files are tests: what is right in a test may be wrong in a product. */
import { expect, test } from "bun:test";
import { isTestPath } from "../../src/domain/test-path.ts";

test.each([
  "src/cart.test.ts",
  "tests/test_cart.py",
  "src/__tests__/cart.ts",
  "src/Shop.Tests/CartTests.cs",
  "src/UnitTests/Cart.cs",
  "app/src/androidTest/java/CartTest.kt",
  "core/src/commonTest/kotlin/Cart.kt",
  "spec/models/cart_spec.rb",
  "cart_test.go",
])("%s is a test", (path) => {
  expect(isTestPath(path)).toBe(true);
});

test.each([
  "src/cart.ts",
  "src/latest/cart.ts",
  "src/contests/cart.py",
  "src/Testing.cs",
  "lib/attestation/cart.rb",
  "src/unit/tester.ts",
])("%s is none", (path) => {
  expect(isTestPath(path)).toBe(false);
});
