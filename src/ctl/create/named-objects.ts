import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, takeName } from './generate.ts';

/** `ctl create namespace`. */
export const namespaceVerb = defineVerb({
  program: {
    name: 'ctl create namespace',
    summary: 'Create a namespace',
    usage: 'NAME [flags]',
    options: generatorOptions,
  },
  run: (ctl, { options, args }) =>
    createGenerated(ctl, options, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: takeName(args) },
      spec: {},
      status: {},
    }),
});

/** `ctl create serviceaccount`. */
export const serviceAccountVerb = defineVerb({
  program: {
    name: 'ctl create serviceaccount',
    summary: 'Create a service account',
    usage: 'NAME [flags]',
    options: generatorOptions,
  },
  run: (ctl, { options, args }) =>
    createGenerated(ctl, options, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: takeName(args) },
    }),
});
