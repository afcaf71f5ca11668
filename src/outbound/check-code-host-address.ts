/** Where a code host may be: anywhere an owner says, but never where nobody may connect (see guard-address). */
import { CodeHostUnavailable } from "../domain/code-host.ts";
import { ReviewFailed } from "../domain/review.ts";
import { type AddressPolicy, BlockedAddress, checkTarget, NameNotResolved } from "./guard-address.ts";

/**
 * Answers the addresses that passed. Errors: ReviewFailed `repository_unreachable` for a forbidden one,
 * CodeHostUnavailable for a name that has none now.
 */
export async function checkCodeHostAddress(url: string, policy: AddressPolicy): Promise<readonly string[]> {
  // Only where it is counts: git:// is judged like http:// at its port.
  const { hostname, port, protocol } = new URL(url);
  const place = `http://${hostname}:${port || usualPorts[protocol] || "80"}/`;
  try {
    const request = { url: place, setByOwner: true, allowedTargets: async () => [] };
    return (await checkTarget(request, policy)).addresses;
  } catch (error) {
    if (error instanceof BlockedAddress) {
      throw new ReviewFailed("repository_unreachable", error.message, { cause: error });
    }
    if (error instanceof NameNotResolved) throw new CodeHostUnavailable(error.message, { cause: error });
    throw error;
  }
}

const usualPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443", "git:": "9418" };
