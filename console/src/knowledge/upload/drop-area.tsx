import { ArrowUpTrayIcon } from '@heroicons/react/24/outline';
import { Alert, Button, FileButton, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type DragEvent, useRef, useState } from 'react';
import { common } from '../../strings/common.ts';
import { knowledge as text } from '../../strings/knowledge.ts';
import { fileSize } from '../../ui/file-size.ts';
import { maxUploadBytes, offered, refusalOf } from './choice.ts';
import classes from './upload.module.css';
import { uploads } from './uploads.ts';

const largest = fileSize(maxUploadBytes);

/** The names of the folders among what is dropped: a browser hands them over as if they were files. */
const foldersIn = ({ dataTransfer }: DragEvent): string[] =>
  [...dataTransfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry?.isDirectory)
    .map((entry) => entry?.name ?? '');

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

function keepPage(event: globalThis.DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

/** Where documents are dropped, or chosen in a dialog. With an assistant, they are attached to it at once. */
export function DropArea({ assistantId }: { assistantId?: string }) {
  const [isOver, setIsOver] = useState(false);
  const [refusals, setRefusals] = useState<string[]>([]);
  const forget = useRef<() => void>(null);
  const take = (files: File[], folders: string[] = []) => {
    const known = files.map((file) => ({ file, refusal: refusalOf(file, folders.includes(file.name)) }));
    const sentences = known.map(
      ({ file, refusal }) => refusal && text.refused[refusal](file.name, fileSize(file.size), largest),
    );
    setRefusals([...new Set(sentences.filter((sentence) => sentence !== undefined))]);
    uploads.add(
      known.filter(({ refusal }) => refusal === undefined).map(({ file }) => file),
      assistantId,
    );
    // Or the same file could not be chosen once more.
    forget.current?.();
  };
  // A browser opens in place of the page what is dropped beside the area.
  useWindowEvent('dragover', keepPage);
  useWindowEvent('drop', keepPage);
  return (
    <Stack gap="sm">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the keyboard has the button inside */}
      <div
        className={classes.area}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          if (!holdsFiles(event)) return;
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
        }}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          take([...event.dataTransfer.files], foldersIn(event));
        }}
      >
        <ArrowUpTrayIcon width={20} aria-hidden className={classes.icon} />
        <div className={classes.words}>
          <Text size="sm" fw={500}>
            {isOver ? text.dropNow : text.drop}
          </Text>
          <Text size="xs" c="dimmed">
            {text.dropHint(largest)}
          </Text>
        </div>
        <FileButton
          multiple
          accept={offered}
          resetRef={forget}
          onChange={(files) => take(files)}
          inputProps={{ 'aria-label': text.choose }}
        >
          {(props) => (
            <Button variant="default" {...props}>
              {text.choose}
            </Button>
          )}
        </FileButton>
      </div>
      {refusals.length > 0 && (
        <Alert
          color="red"
          title={text.notSent}
          role="alert"
          withCloseButton
          closeButtonLabel={common.close}
          onClose={() => setRefusals([])}
        >
          {refusals.map((sentence) => (
            <Text key={sentence} size="sm" className={classes.name}>
              {sentence}
            </Text>
          ))}
        </Alert>
      )}
    </Stack>
  );
}
