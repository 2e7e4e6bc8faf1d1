/** Finds a custody account by its configured name or by the service's id. */

interface NamedCustodyAccount {
  readonly name: string;
  readonly id: string;
}

/** Names take precedence over ids; an id may be written in either case. */
export function findCustodyAccount<Custody extends NamedCustodyAccount>(
  text: string,
  custodyAccounts: readonly Custody[],
): Custody | undefined {
  return (
    custodyAccounts.find((account) => account.name === text) ??
    custodyAccounts.find((account) => account.id === text.toLowerCase())
  );
}
