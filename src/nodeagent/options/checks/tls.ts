import type { CheckContext } from '../check-context.ts';
import type { AgentProblem } from '../problem.ts';
import suites from '../tls-cipher-suites.json' with { type: 'json' };

const known = new Set([...suites.preferred, ...suites.insecure]);
const flag = '--tls-cipher-suites';

/** The serving certificate's two files, and the cipher suites. */
export function checkTls({ values }: CheckContext): AgentProblem[] {
  const { tlsCertFile, tlsPrivateKeyFile, tlsCipherSuites } = values;
  const problems: AgentProblem[] = tlsCipherSuites
    .filter((name) => !known.has(name))
    .map((name) => ({ text: `Cipher suite ${name} not supported or doesn't exist`, names: [flag] }));
  if ((tlsCertFile === '') !== (tlsPrivateKeyFile === '')) {
    problems.push({
      text: 'a serving certificate needs its private key: tlsCertFile and tlsPrivateKeyFile go together',
      names: ['--tls-cert-file', '--tls-private-key-file'],
    });
  }
  if (problems.length === 0 && tlsCipherSuites.length > 0 && !tlsCipherSuites.some(isRequiredByHttp2)) {
    const text = `http2: TLSConfig.CipherSuites is missing an HTTP/2-required AES_128_GCM_SHA256 cipher (need at least one of ${suites.neededByHttp2.join(' or ')})`;
    problems.push({ text, names: [flag] });
  }
  return problems;
}

function isRequiredByHttp2(name: string): boolean {
  return suites.neededByHttp2.includes(name);
}

/** Suites in use that are known to be weak. */
export function tlsWarnings({ values }: CheckContext): string[] {
  return values.tlsCipherSuites
    .filter((name) => suites.insecure.includes(name))
    .map((name) => `Use of insecure cipher '${name}' detected.`);
}
