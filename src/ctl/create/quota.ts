import { CtlError } from '../errors.ts';
import { parseQuantities } from '../options/label-spec.ts';
import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, takeName } from './generate.ts';

/** `ctl create quota`. */
export const quotaVerb = defineVerb({
  program: {
    name: 'ctl create quota',
    summary: 'Create a quota of a namespace',
    usage: 'NAME [--hard=RESOURCE=QUANTITY,...] [--scopes=SCOPE,...] [flags]',
    options: [
      {
        name: 'hard',
        type: 'string',
        valueName: 'RESOURCE=QUANTITY,...',
        section: 'Object',
        help: 'How much there may be at most.',
      },
      {
        name: 'scopes',
        type: 'string',
        section: 'Object',
        help: 'Count only what all of these scopes fit, such as BestEffort.',
      },
      ...generatorOptions,
    ],
    examples: [
      { command: 'ctl create quota team --hard=cpu=4,memory=8Gi,pods=20', does: 'bound a namespace' },
    ],
  },
  run(ctl, { options, args }) {
    const name = takeName(args);
    return createGenerated(ctl, options, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name },
      spec: {
        ...(options.hard ? { hard: parseQuantities(options.hard) } : {}),
        ...(options.scopes ? { scopes: parseScopes(options.scopes) } : {}),
      },
      status: {},
    });
  },
});

function parseScopes(text: string): readonly string[] {
  const scopes = text.split(',');
  const empty = scopes.find((scope) => scope === '');
  if (empty !== undefined) throw new CtlError('invalid resource quota scope ""');
  return scopes;
}
