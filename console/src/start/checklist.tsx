import { CheckCircleIcon } from '@heroicons/react/24/solid';
import { Accordion, Progress as Bar, Group, Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { apiUrl } from '../api/client.ts';
import { start as text } from '../strings/start.ts';
import { type Progress, type Step, steps } from './progress.ts';
import { StepContent } from './step-content.tsx';

/** List of the steps. The next one is open. */
export function Checklist({ progress }: { progress: Progress }) {
  const { assistant, needed, done } = progress;
  const next = steps.find((step) => !done[step]) ?? null;
  const [chosen, choose] = useState<string | null>();
  // Opens the next step when one is done, until the user opens another.
  const open = chosen === undefined ? next : chosen;
  const values = {
    url: apiUrl,
    assistantId: assistant?.id,
    service: needed.find(({ isSaved }) => !isSaved)?.service ?? needed[0]?.service ?? 'cartesia',
  };
  const count = steps.filter((step) => done[step]).length;
  return (
    <>
      <Group mb="md" gap="sm" wrap="nowrap">
        <Bar value={(100 * count) / steps.length} flex={1} maw={280} aria-label={text.steps} />
        <Text size="sm" c="dimmed">
          {text.progress(count, steps.length)}
        </Text>
      </Group>
      <Accordion variant="contained" order={2} value={open} onChange={choose} chevronPosition="right">
        {steps.map((step, index) => (
          <Accordion.Item key={step} value={step}>
            <Accordion.Control icon={<Tick isDone={done[step]} number={index + 1} />}>
              <VisuallyHidden>{done[step] ? text.isDone : text.isOpen} </VisuallyHidden>
              <Text component="span" size="sm" fw={500} c={done[step] ? 'dimmed' : undefined}>
                {text.step[step].title}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              {open === step && <StepContent step={step as Step} progress={progress} values={values} />}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  );
}

const Tick = ({ isDone, number }: { isDone: boolean; number: number }) =>
  isDone ? (
    <ThemeIcon variant="transparent" color="green.7" size={26} aria-hidden>
      <CheckCircleIcon width={26} />
    </ThemeIcon>
  ) : (
    <ThemeIcon variant="default" radius="xl" size={26} aria-hidden>
      <Text size="xs" fw={600}>
        {number}
      </Text>
    </ThemeIcon>
  );
