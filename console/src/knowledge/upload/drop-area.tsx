import { ArrowUpTrayIcon } from '@heroicons/react/24/outline';
import { Alert, Button, FileButton, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { common } from '../../strings/common.ts';
import { knowledge as text } from '../../strings/knowledge.ts';
import { lazyComponent } from '../../ui/loading/lazy.tsx';
import { formatFileSize } from '../../ui/text/file-size.ts';
import { acceptedFiles, findRefusal, getLargestSize, maxTextBytes, maxUploadBytes } from './file-check.ts';
import { languagesQuery } from './languages-query.ts';
import classes from './upload.module.css';
import { uploads } from './uploads.ts';

const LanguageField = lazyComponent(() => import('./language-field.tsx'), 'LanguageField');

const dropHint = text.dropHint(formatFileSize(maxUploadBytes), formatFileSize(maxTextBytes));

/** Lists the names of dropped folders, which browsers pass as if they were files. */
const listFolders = ({ dataTransfer }: DragEvent): string[] =>
  [...dataTransfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry?.isDirectory)
    .map((entry) => entry?.name ?? '');

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

function preventOpening(event: globalThis.DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

/** Area to drop documents on, with a button to choose them. With an assistant, uploads are attached to it. */
export function DropArea({ assistantId }: { assistantId?: string }) {
  const [isOver, setIsOver] = useState(false);
  const [refusals, setRefusals] = useState<string[]>([]);
  const [languages, setLanguages] = useState<string[]>([]);
  const { data: offered = [] } = useQuery(languagesQuery);
  const [isChoosing, setIsChoosing] = useState(false);
  const resetInput = useRef<() => void>(null);
  const addFiles = (files: File[], folders: string[] = []) => {
    const candidates = files.map((file) => ({ file, refusal: findRefusal(file, folders.includes(file.name)) }));
    const messages = candidates.map(
      ({ file, refusal }) =>
        refusal && text.refused[refusal](file.name, formatFileSize(file.size), formatFileSize(getLargestSize(file))),
    );
    setRefusals([...new Set(messages.filter((sentence) => sentence !== undefined))]);
    uploads.add(
      candidates.filter(({ refusal }) => refusal === undefined).map(({ file }) => file),
      assistantId,
      languages,
    );
    // Lets the user choose the same file again.
    resetInput.current?.();
  };
  // Otherwise the browser opens a file that is dropped outside the area.
  useWindowEvent('dragover', preventOpening);
  useWindowEvent('drop', preventOpening);
  return (
    <Stack gap="sm">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; keyboards use the button inside */}
      <div
        className={classes.area}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
        }}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          addFiles([...event.dataTransfer.files], listFolders(event));
        }}
      >
        <ArrowUpTrayIcon width={20} aria-hidden className={classes.icon} />
        <div className={classes.words}>
          <Text size="sm" fw={500}>
            {isOver ? text.dropNow : text.drop}
          </Text>
          <Text size="xs" c="dimmed">
            {dropHint}
          </Text>
        </div>
        <FileButton
          multiple
          accept={acceptedFiles}
          resetRef={resetInput}
          onChange={(files) => addFiles(files)}
          inputProps={{ 'aria-label': text.choose }}
        >
          {(props) => (
            <Button variant="default" {...props}>
              {text.choose}
            </Button>
          )}
        </FileButton>
      </div>
      {isChoosing && <LanguageField languages={offered} value={languages} onChange={setLanguages} />}
      {!isChoosing && offered.length > 1 && (
        <Button variant="subtle" size="compact-xs" className={classes.languages} onClick={() => setIsChoosing(true)}>
          {text.chooseLanguages}
        </Button>
      )}
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
