import { X509Certificate } from 'node:crypto';

/** Entries of the config map that tells servers of other API groups whom to believe. */
export type TrustEntries = Readonly<Record<string, unknown>>;

const proxyBundle = 'requestheader-client-ca-file';
/** What is said about proxies, in JSON lists. */
const proxyLists = [
  'requestheader-allowed-names',
  'requestheader-extra-headers-prefix',
  'requestheader-group-headers',
  'requestheader-username-headers',
];
const clientBundle = 'client-ca-file';

/** Clocks differ: so long a certificate counts after its end. Source: release 1.20. */
const slackMs = 5 * 60_000;
const certificateBlock = /-----BEGIN CERTIFICATE-----[^-:]+-----END CERTIFICATE-----/g;

/**
 * What is stored together with what is this server's own: other servers of the store may believe others. Certificates whose time
 * is over are left out, and so is what cannot be read, all entries on proxies without an authority of proxies, and any
 * other entry. Source: release 1.20, `clusterauthenticationtrust`.
 */
export function mergeTrust(stored: TrustEntries, own: TrustEntries, nowMs: number): Record<string, string> {
  const merged: Record<string, string> = {};
  const bundleOf = (name: string): string =>
    joinCertificates([...certificatesIn(stored[name]), ...certificatesIn(own[name])], nowMs);
  const clients = bundleOf(clientBundle);
  if (clients !== '') merged[clientBundle] = clients;
  const proxies = bundleOf(proxyBundle);
  if (proxies === '') return merged;
  merged[proxyBundle] = proxies;
  for (const name of proxyLists)
    merged[name] = JSON.stringify([...new Set([...textsIn(stored[name]), ...textsIn(own[name])])]);
  return merged;
}

function certificatesIn(bundle: unknown): X509Certificate[] {
  const blocks = typeof bundle === 'string' ? (bundle.match(certificateBlock) ?? []) : [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

/** Each once. */
function joinCertificates(certificates: readonly X509Certificate[], nowMs: number): string {
  const valid = certificates.filter(({ validToDate }) => validToDate.getTime() > nowMs - slackMs);
  return [...new Set(valid.map(String))].join('');
}

function textsIn(list: unknown): string[] {
  try {
    const parsed: unknown = typeof list === 'string' ? JSON.parse(list) : [];
    return Array.isArray(parsed) ? parsed.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}
