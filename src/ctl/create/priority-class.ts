import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, takeName } from './generate.ts';

const section = 'Object';

/** `ctl create priorityclass`. */
export const priorityClassVerb = defineVerb({
  program: {
    name: 'ctl create priorityclass',
    summary: 'Create a priority class',
    usage: 'NAME --value=NUMBER [flags]',
    options: [
      {
        name: 'value',
        type: 'int32',
        default: 0,
        section,
        help: 'The higher, the sooner pods get their place.',
      },
      {
        name: 'global-default',
        type: 'bool',
        section,
        help: 'Give it to all pods that name no class.',
      },
      { name: 'description', type: 'string', section, help: 'When it should be used.' },
      {
        name: 'preemption-policy',
        type: 'string',
        default: 'PreemptLowerPriority',
        section,
        help: 'Whether pods may take the place of others: PreemptLowerPriority or Never.',
      },
      ...generatorOptions,
    ],
    examples: [
      {
        command: "ctl create priorityclass high --value=1000 --description='comes first'",
        does: 'make a class',
      },
    ],
  },
  run: (ctl, { options, args }) =>
    createGenerated(ctl, options, {
      apiVersion: `${ctl.dialect.group('scheduling')}/v1`,
      kind: 'PriorityClass',
      metadata: { name: takeName(args) },
      value: options.value,
      ...(options.globalDefault ? { globalDefault: true } : {}),
      ...(options.description ? { description: options.description } : {}),
      preemptionPolicy: options.preemptionPolicy,
    }),
});
