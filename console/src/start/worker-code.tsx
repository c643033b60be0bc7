import { Stack, Tabs } from '@mantine/core';
import { start as text } from '../strings/start.ts';
import { CodeView } from '../ui/code-view.tsx';
import { commandsIn, curlOf, environmentOf, type Filling } from './snippets.ts';
import { type Worker, workers } from './workers.ts';

/** Workers to copy, and how they are started for this assistant; or the same by hand. */
export default function WorkerCode({ filling }: { filling: Filling }) {
  return (
    <Tabs defaultValue="0" keepMounted={false}>
      <Tabs.List aria-label={text.ways} mb="sm">
        {workers.map(({ title }, index) => (
          <Tabs.Tab key={title} value={String(index)}>
            {title}
          </Tabs.Tab>
        ))}
        <Tabs.Tab value="curl">{text.curl}</Tabs.Tab>
      </Tabs.List>
      {workers.map((worker, index) => (
        <Tabs.Panel key={worker.title} value={String(index)}>
          <WorkerFiles worker={worker} filling={filling} />
        </Tabs.Panel>
      ))}
      <Tabs.Panel value="curl">
        <CodeView name={text.curl} code={curlOf('call', filling)} />
      </Tabs.Panel>
    </Tabs>
  );
}

const WorkerFiles = ({ worker: { files }, filling }: { worker: Worker; filling: Filling }) => (
  <Stack gap="sm">
    <CodeView name={text.shell} code={`${environmentOf(filling)}\n\n${commandsIn(files[0]?.source ?? '')}`} />
    {files.map(({ name, source }) => (
      <CodeView key={name} name={name} code={source} />
    ))}
  </Stack>
);
