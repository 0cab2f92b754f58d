import type { CheckContext } from '../check-context.ts';
import { type EvictionTexts, readEvictionThresholds } from '../eviction.ts';
import type { AgentProblem } from '../problem.ts';
import { configurationProblem, createProblem, runProblem } from './sentence.ts';

const flags: Readonly<Record<keyof EvictionTexts, string>> = {
  evictionHard: '--eviction-hard',
  evictionSoft: '--eviction-soft',
  evictionSoftGracePeriod: '--eviction-soft-grace-period',
  evictionMinimumReclaim: '--eviction-minimum-reclaim',
};

/** The thresholds of pods and images. */
export function checkEviction({ values }: CheckContext): AgentProblem[] {
  const { imageGcLowThresholdPercent: low, imageGcHighThresholdPercent: high } = values;
  const images =
    low < high
      ? []
      : [
          configurationProblem(
            `imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) ${high}`,
          ),
        ];
  const pods = readEvictionThresholds(values).problems.map(({ option, text }) =>
    option === 'evictionHard' ? runProblem(text, flags[option]) : createProblem(text, flags[option]),
  );
  return [...images, ...pods];
}
