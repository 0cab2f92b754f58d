import { X509Certificate } from 'node:crypto';
import { asJsonObject } from '../../base/index.ts';
import type { Connection } from '../../client/rest/index.ts';
import { CtlError } from '../errors.ts';
import { defineVerb } from '../verb.ts';

/** What credentials say of their user. */
interface Identity {
  readonly from: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** `ctl auth whoami`. */
export const whoAmIVerb = defineVerb({
  program: {
    name: 'ctl auth whoami',
    summary: 'Show what your credentials say of you',
    usage: '[flags]',
    description: [
      'Release 1.20 has no review that tells who asks. What is shown is what the credentials of the client configuration say: the subject of a certificate, the claims of a token. The server may map names and groups, and adds system:authenticated.',
    ],
    options: [],
  },
  async run(ctl) {
    const connection = await ctl.connection();
    const { from, name, groups } = identityOf(connection);
    const acts = connection.auth.impersonate;
    const lines = [
      ['Username', name],
      ['Groups', `[${groups.join(' ')}]`],
      ['Credentials', from],
      ...(acts === undefined ? [] : [['Acts as', acts.user]]),
    ];
    ctl.io.stdout.write(lines.map(([key = '', value]) => `${`${key}:`.padEnd(13)}${value}\n`).join(''));
  },
});

/** @throws CtlError where the credentials say nothing. */
function identityOf({ tls, auth }: Connection): Identity {
  if (tls.cert !== undefined) {
    const lines = new X509Certificate(tls.cert).subject.split('\n');
    const values = (key: string): string[] =>
      lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
    return { from: 'client certificate', name: values('CN').at(-1) ?? '', groups: values('O') };
  }
  if (auth.username !== undefined) return { from: 'password', name: auth.username, groups: [] };
  const subject = auth.token === undefined ? undefined : subjectOf(auth.token);
  if (subject !== undefined) return { from: 'token', name: subject, groups: groupsOf(subject) };
  throw new CtlError(
    'the credentials do not say who you are, and this release of the API has no question for it',
  );
}

/** The subject of a token that can be read (RFC 7519); undefined for any other. */
function subjectOf(token: string): string | undefined {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const { sub } = asJsonObject(JSON.parse(payload));
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined; // not every token says something
  }
}

/** Service accounts are in groups by their name. */
function groupsOf(subject: string): string[] {
  const namespace = /^system:serviceaccount:([^:]+):[^:]+$/.exec(subject)?.[1];
  return namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
