import type { CertificateSigningRequest } from '../apis/types/certificates-v1.ts';
import { isReason } from '../machinery/errors/index.ts';
import { createReporter } from './changes/reporter.ts';
import type { Ctl } from './ctl.ts';
import { CtlError, throwGathered } from './errors.ts';
import { fileOptions, hasFiles, printOptions, sourcesOf } from './options/shared.ts';
import { type LiveTarget, resolveObjects } from './resource/resolve-objects.ts';
import { targetPath } from './resource/target.ts';
import { defineVerb, refuseToGuess, type Verb } from './verb.ts';

/** How often a request is read again that somebody else changed meanwhile. Source: release 1.20. */
const maxConflicts = 10;

interface Decision {
  readonly type: 'Approved' | 'Denied';
  readonly opposite: 'Approved' | 'Denied';
  readonly verb: string;
  readonly done: string;
}

const approval: Decision = { type: 'Approved', opposite: 'Denied', verb: 'approve', done: 'approved' };
const denial: Decision = { type: 'Denied', opposite: 'Approved', verb: 'deny', done: 'denied' };

/** `ctl certificate`; all of its work is in commands of its own. */
export const certificateVerb = defineVerb({
  program: {
    name: 'ctl certificate',
    summary: 'Decide on requests for certificates',
    usage: 'COMMAND [flags]',
    options: [],
    examples: [
      { command: 'ctl certificate approve csr-abc', does: 'have a request signed' },
      { command: 'ctl certificate deny csr-abc', does: 'refuse it' },
    ],
  },
  subverbs: {
    approve: async () => decisionVerb(approval, 'Approve requests for certificates'),
    deny: async () => decisionVerb(denial, 'Deny requests for certificates'),
  },
  run: refuseToGuess,
});

function decisionVerb(decision: Decision, summary: string): Verb {
  const { verb, done } = decision;
  return defineVerb({
    program: {
      name: `ctl certificate ${verb}`,
      summary,
      usage: '(-f FILE | NAME...) [flags]',
      options: [
        ...fileOptions,
        {
          name: 'force',
          type: 'bool',
          section: 'Changes',
          help: `Write requests that are ${done} already once more.`,
        },
        ...printOptions,
      ],
    },
    async run(ctl, { options, args }) {
      if (args.length === 0 && !hasFiles(options))
        throw new CtlError('one or more CSRs must be specified as <name> or -f <filename>');
      const report = await createReporter(ctl, options);
      const { objects, errors } = await resolveObjects(ctl, {
        args: args.map((arg) => (arg.includes('/') ? arg : `certificatesigningrequests/${arg}`)),
        ...sourcesOf(options),
        labelSelector: undefined,
        isAll: false,
      });
      if (objects.length === 0 && errors.length === 0) ctl.io.stdout.write('No resources found\n');
      for (const target of objects) {
        try {
          const object = await decide(ctl, target, { decision, isForced: options.force });
          report({ resource: target.resource, object, name: target.name, operation: done });
        } catch (error) {
          errors.push(error);
        }
      }
      throwGathered(errors);
    },
  });
}

async function decide(
  ctl: Ctl,
  target: LiveTarget,
  { decision, isForced }: { readonly decision: Decision; readonly isForced: boolean },
): Promise<CertificateSigningRequest> {
  const client = await ctl.client();
  const { signal } = ctl.io;
  for (let conflicts = 0; ; conflicts++) {
    const path = targetPath(target);
    const request = await client.json<CertificateSigningRequest>({ method: 'GET', path, signal });
    const conditions = request.status.conditions ?? [];
    if (conditions.some(({ type }) => type === decision.opposite)) {
      throw new CtlError(
        `certificate signing request ${JSON.stringify(target.name)} is already ${decision.opposite}`,
      );
    }
    const isDecided = conditions.some(({ type }) => type === decision.type);
    if (isDecided && !isForced) return request;
    const added = isDecided ? [] : [conditionOf(ctl, decision)];
    const body = { ...request, status: { ...request.status, conditions: [...conditions, ...added] } };
    try {
      return await client.json({ method: 'PUT', path: targetPath(target, 'approval'), body, signal });
    } catch (error) {
      if (!isReason(error, 'Conflict') || conflicts >= maxConflicts) throw error;
    }
  }
}

/** As people find it in the request: by whom it was decided. */
function conditionOf({ dialect, io }: Ctl, { type, verb, done }: Decision) {
  const program = dialect.spell('ctl');
  return {
    type,
    status: 'True',
    reason: `${program[0]?.toUpperCase()}${program.slice(1)}${verb[0]?.toUpperCase()}${verb.slice(1)}`,
    message: `This CSR was ${done} by ${program} certificate ${verb}.`,
    lastUpdateTime: new Date(io.clock.nowMs()).toISOString().replace(/\.\d+/, ''),
    lastTransitionTime: null,
  };
}
