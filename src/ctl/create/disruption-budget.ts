import { CtlError } from '../errors.ts';
import { objectOperator, parseSelectorText } from '../resource/parse-selector.ts';
import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, takeName } from './generate.ts';

const section = 'Object';

/** `ctl create poddisruptionbudget`. */
export const disruptionBudgetVerb = defineVerb({
  program: {
    name: 'ctl create poddisruptionbudget',
    summary: 'Create a pod disruption budget',
    usage: 'NAME --selector=SELECTOR (--min-available=N | --max-unavailable=N) [flags]',
    options: [
      { name: 'selector', type: 'string', section, help: 'Labels of the pods that it is about.' },
      {
        name: 'min-available',
        type: 'string',
        section,
        help: 'How many pods, or which percentage, must stay.',
      },
      {
        name: 'max-unavailable',
        type: 'string',
        section,
        help: 'How many pods, or which percentage, may go.',
      },
      ...generatorOptions,
    ],
    examples: [
      { command: 'ctl create pdb web --selector=app=web --min-available=50%', does: 'keep half of the pods' },
    ],
  },
  run(ctl, { options, args }) {
    const name = takeName(args);
    const { minAvailable, maxUnavailable } = options;
    if (!options.selector) throw new CtlError('a selector must be specified');
    if (!minAvailable && !maxUnavailable) {
      throw new CtlError('one of min-available or max-unavailable must be specified');
    }
    if (minAvailable && maxUnavailable) {
      throw new CtlError('min-available and max-unavailable cannot be both specified');
    }
    return createGenerated(ctl, options, {
      apiVersion: 'policy/v1beta1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: {
        selector: selectorOf(options.selector),
        ...(minAvailable ? { minAvailable: intOrText(minAvailable) } : {}),
        ...(maxUnavailable ? { maxUnavailable: intOrText(maxUnavailable) } : {}),
      },
      status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
    });
  },
});

function intOrText(text: string): number | string {
  return /^[+-]?\d+$/.test(text) ? Number(text) : text;
}

/** The field of an object that means what a selector's text means. */
function selectorOf(text: string) {
  const { requirements } = parseSelectorText(text);
  const read = requirements.map(({ operator, ...one }) => ({ ...one, operator: objectOperator(operator) }));
  const labels = read.flatMap(({ key, operator, values }) =>
    operator === undefined ? [[key, values[0] ?? '']] : [],
  );
  const expressions = read.flatMap(({ key, operator, values }) =>
    operator === undefined ? [] : [{ key, operator, ...(values.length > 0 ? { values } : {}) }],
  );
  return {
    ...(labels.length > 0 ? { matchLabels: Object.fromEntries(labels) } : {}),
    ...(expressions.length > 0 ? { matchExpressions: expressions } : {}),
  };
}
