interface AddressEntry {
  readonly address?: unknown;
  readonly ip?: unknown;
  readonly interface?: unknown;
}

interface Result {
  readonly ips?: readonly AddressEntry[];
  readonly interfaces?: readonly { readonly sandbox?: unknown }[];
  readonly ip4?: AddressEntry;
  readonly ip6?: AddressEntry;
}

/** Addresses in a plugin's result, of every CNI version; at most the first one of each family. */
export function resultAddresses(result: unknown): readonly string[] {
  if (typeof result !== 'object' || result === null) return [];
  // Whatever the fields hold is checked below.
  const { ips, ip4, ip6 } = result as Result;
  const entries = Array.isArray(ips) ? ips : [ip4, ip6];
  const texts = entries.flatMap((entry: AddressEntry | undefined) => {
    const text = entry?.address ?? entry?.ip;
    return typeof text === 'string' && text !== '' ? [text.split('/')[0] ?? ''] : [];
  });
  const firstOf = (isDesired: (text: string) => boolean) => texts.find(isDesired);
  const [v4, v6] = [firstOf((text) => !text.includes(':')), firstOf((text) => text.includes(':'))];
  const found = [v4, v6].filter((text): text is string => text !== undefined && text !== '');
  return found.sort((a, b) => texts.indexOf(a) - texts.indexOf(b));
}
