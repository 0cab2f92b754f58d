import type { LabelOperator } from '../../machinery/selectors/index.ts';
import { CtlError } from '../errors.ts';
import { parseSelectorText } from '../resource/parse-selector.ts';
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

const operators: Partial<Readonly<Record<LabelOperator, string>>> = {
  in: 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/** The field of an object that means what a selector's text means. */
function selectorOf(text: string) {
  const { requirements } = parseSelectorText(text);
  const isEqual = ({ operator }: { operator: LabelOperator }) => operator === '=' || operator === '==';
  const labels = requirements.filter(isEqual).map(({ key, values }) => [key, values[0] ?? '']);
  const expressions = requirements
    .filter((one) => !isEqual(one))
    .map(({ key, operator, values }) => {
      const name = operators[operator];
      if (name === undefined)
        throw new CtlError(`${JSON.stringify(operator)} is not a valid label selector operator`);
      return { key, operator: name, ...(values.length > 0 ? { values } : {}) };
    });
  return {
    ...(labels.length > 0 ? { matchLabels: Object.fromEntries(labels) } : {}),
    ...(expressions.length > 0 ? { matchExpressions: expressions } : {}),
  };
}
