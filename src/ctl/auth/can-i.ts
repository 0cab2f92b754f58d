import { resourcePath } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, ExitError, UnknownNameError } from '../errors.ts';
import { allNamespacesOption } from '../options/shared.ts';
import { defineVerb } from '../verb.ts';
import { printAccessList } from './access-list.ts';
import knownVerbs from './known-verbs.json' with { type: 'json' };

interface Review {
  readonly status: {
    readonly allowed?: boolean;
    readonly reason?: string;
    readonly evaluationError?: string;
  };
}

/** What is asked about: a resource, perhaps one object of it, or a path beside the API. */
type Subject =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'resource'; readonly group: string; readonly resource: string; readonly name: string };

/** `ctl auth can-i`. */
export const canIVerb = defineVerb({
  program: {
    name: 'ctl auth can-i',
    summary: 'Ask whether something is allowed',
    usage: 'VERB [TYPE | TYPE/NAME | PATH] [flags]',
    description: ['Prints yes or no; the exit code is 1 for no.'],
    options: [
      allNamespacesOption,
      { name: 'list', type: 'bool', section: 'Question', help: 'List all that is allowed in the namespace.' },
      { name: 'no-headers', type: 'bool', section: 'Output', help: 'Print the list without headers.' },
      {
        name: 'quiet',
        short: 'q',
        type: 'bool',
        section: 'Output',
        help: 'Print nothing: the exit code says it.',
      },
      {
        name: 'subresource',
        type: 'string',
        section: 'Question',
        help: 'Part of the resource, such as log.',
      },
    ],
    examples: [
      { command: 'ctl auth can-i create pods --all-namespaces', does: 'ask about all namespaces' },
      { command: 'ctl auth can-i get pods --subresource=log', does: 'ask about logs' },
      { command: 'ctl auth can-i get /logs/', does: 'ask about a path that is no resource' },
    ],
  },
  async run(ctl, { options, args }) {
    const { list, quiet, subresource = '', allNamespaces, noHeaders } = options;
    const namespace = allNamespaces ? '' : (await ctl.context()).namespace;
    if (list) {
      if (args.length > 0) throw new CtlError('list option must be specified with no arguments');
      if (quiet || allNamespaces || subresource !== '')
        throw new CtlError(
          "list option can't be specified with neither quiet, all-namespaces nor subresource options",
        );
      await printAccessList(ctl, { namespace, hasHeaders: !noHeaders });
      return;
    }
    const [verb = '', what = ''] = args;
    if (args.length !== 2)
      throw new CtlError(
        'you must specify two or three arguments: verb, resource, and optional resourceName',
      );
    const subject = await readSubject(ctl, what, { warnsOfScope: !allNamespaces });
    if (noHeaders) throw new CtlError('--no-headers cannot be set without --list specified');
    if (subject.kind === 'path' && subresource !== '')
      throw new CtlError('--subresource can not be used with NonResourceURL');
    const known: readonly string[] = knownVerbs[subject.kind];
    if (!known.includes(verb)) ctl.io.stderr.write(`Warning: verb '${verb}' is not a known verb\n`);
    const status = await ask(ctl, { verb, subject, subresource, namespace });
    if (!quiet) ctl.io.stdout.write(`${answerOf(status)}\n`);
    if (status.allowed !== true) throw new ExitError(1);
  },
});

function answerOf({ allowed, reason = '', evaluationError = '' }: Review['status']): string {
  if (allowed === true) return 'yes';
  return ['no', reason, evaluationError].filter((part) => part !== '').join(' - ');
}

async function readSubject(
  ctl: Ctl,
  what: string,
  { warnsOfScope }: { readonly warnsOfScope: boolean },
): Promise<Subject> {
  if (what.startsWith('/')) return { kind: 'path', path: what };
  const at = what.indexOf('/');
  const [type, name] = at < 0 ? [what, ''] : [what.slice(0, at), what.slice(at + 1)];
  if (type === '*') return { kind: 'resource', group: '', resource: type, name };
  const warn = (text: string): void => void ctl.io.stderr.write(`Warning: ${text}\n`);
  try {
    const { group, name: resource, isNamespaced } = await ctl.findResource(type);
    if (!isNamespaced && warnsOfScope) {
      warn(`resource '${resource}' is not namespace scoped${group === '' ? '' : ` in group '${group}'`}`);
    }
    return { kind: 'resource', group, resource, name };
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    const [resource = '', ...group] = type.toLowerCase().split('.');
    const where = group.length === 0 ? '' : ` in group '${group.join('.')}'`;
    const advice = error instanceof UnknownNameError ? error.advice : '';
    warn(`the server doesn't have a resource type '${resource}'${where}${advice}`);
    return { kind: 'resource', group: '', resource: type, name };
  }
}

interface Question {
  readonly verb: string;
  readonly subject: Subject;
  readonly subresource: string;
  readonly namespace: string;
}

async function ask(ctl: Ctl, { verb, subject, subresource, namespace }: Question): Promise<Review['status']> {
  const group = ctl.dialect.group('authorization');
  const client = await ctl.client();
  const given = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  const spec =
    subject.kind === 'path'
      ? { nonResourceAttributes: given({ path: subject.path, verb }) }
      : {
          resourceAttributes: given({
            namespace,
            verb,
            group: subject.group,
            resource: subject.resource,
            subresource,
            name: subject.name,
          }),
        };
  const review = await client.json<Review>({
    method: 'POST',
    path: resourcePath({ group, version: 'v1', resource: 'selfsubjectaccessreviews' }),
    body: { apiVersion: `${group}/v1`, kind: 'SelfSubjectAccessReview', spec },
    signal: ctl.io.signal,
  });
  return review.status;
}
