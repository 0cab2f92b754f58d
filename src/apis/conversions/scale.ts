import type { Scale as OlderScale } from '../types/apps-v1beta1.ts';
import type { Scale } from '../types/autoscaling-v1.ts';
import { convertKind } from './version-conversion.ts';

/**
 * Scales of the first workload versions, which have a selector as a map beside the one as text. The map holds no
 * more than the text does, so it is made from the text where that has plain equality only.
 */
export const scaleConversion = convertKind<OlderScale, Scale>({
  toStorage(object) {
    const { status, ...rest } = object;
    const { selector, targetSelector, ...others } = status;
    const text = targetSelector || formatEquality(selector ?? {});
    const scale: Scale = { ...rest, status: { ...others, ...(text === '' ? {} : { selector: text }) } };
    return scale;
  },
  fromStorage(object) {
    const { status, ...rest } = object;
    const { selector: text, ...others } = status;
    const selector = text ? parseEquality(text) : undefined;
    const scale: OlderScale = {
      ...rest,
      status: { ...others, ...(selector && { selector }), ...(text ? { targetSelector: text } : {}) },
    };
    return scale;
  },
});

function formatEquality(selector: Readonly<Record<string, string>>): string {
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',');
}

/** The terms of a text such as `a=b,c==d`; undefined when it says anything else. */
function parseEquality(text: string): Record<string, string> | undefined {
  const terms = text.split(',').map((term) => /^([^!=\s()]+)==?([^!=\s()]*)$/.exec(term.trim()));
  if (terms.some((term) => term === null)) return undefined;
  return Object.fromEntries(terms.map((term) => [term?.[1] ?? '', term?.[2] ?? '']));
}
