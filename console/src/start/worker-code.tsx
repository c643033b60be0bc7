import { Stack, Tabs } from '@mantine/core';
import { start as text } from '../strings/start.ts';
import { CodeView } from '../ui/text/code-view.tsx';
import { buildCurl, buildEnvironment, extractCommands, type SnippetValues } from './snippets.ts';
import { type Worker, workers } from './workers.ts';

/** Source code of workers, and the commands to start them for this assistant; or the same with curl. */
export default function WorkerCode({ values }: { values: SnippetValues }) {
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
          <WorkerFiles worker={worker} values={values} />
        </Tabs.Panel>
      ))}
      <Tabs.Panel value="curl">
        <CodeView name={text.curl} code={buildCurl('call', values)} />
      </Tabs.Panel>
    </Tabs>
  );
}

const WorkerFiles = ({ worker: { files }, values }: { worker: Worker; values: SnippetValues }) => (
  <Stack gap="sm">
    <CodeView name={text.shell} code={`${buildEnvironment(values)}\n\n${extractCommands(files[0]?.source ?? '')}`} />
    {files.map(({ name, source }) => (
      <CodeView key={name} name={name} code={source} />
    ))}
  </Stack>
);
