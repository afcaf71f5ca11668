/** What the guard makes of a target, in one line. */
import {
  BlockedAddress,
  checkTarget,
  NameNotResolved,
  type OwnListener,
} from "../../src/outbound/guard-address.ts";

interface Case {
  url: string;
  /** What the name resolves to. */
  resolves?: readonly string[];
  setByOwner?: boolean;
  allowed?: readonly string[];
  ownListeners?: readonly OwnListener[];
}

export async function verdict(c: Case): Promise<string> {
  try {
    const target = await checkTarget(
      { url: c.url, setByOwner: c.setByOwner ?? false, allowedTargets: async () => c.allowed ?? [] },
      { resolve: async () => c.resolves ?? [], ownListeners: () => c.ownListeners ?? [] },
    );
    return `connects to ${target.addresses.join(", ")}`;
  } catch (error) {
    if (error instanceof BlockedAddress || error instanceof NameNotResolved) return error.message;
    throw error;
  }
}
