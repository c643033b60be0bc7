import { ArrowUpTrayIcon } from '@heroicons/react/24/outline';
import { Alert, Button, FileButton, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { common } from '../../strings/common.ts';
import { knowledge as text } from '../../strings/knowledge.ts';
import { fileSize } from '../../ui/file-size.ts';
import { maxUploadBytes, offered, refusalOf } from './choice.ts';
import classes from './upload.module.css';
import { uploads } from './uploads.ts';

const largest = fileSize(maxUploadBytes);

/** Why a file is not sent, in a sentence; undefined where it is. */
function refused(file: File): string | undefined {
  const refusal = refusalOf(file);
  return refusal && text.refused[refusal](file.name, fileSize(file.size), largest);
}

const holdsFiles = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>) =>
  dataTransfer?.types.includes('Files') === true;

/** A browser opens a file that is dropped anywhere else, in the place of the page. */
function refuseElsewhere(event: DragEvent): void {
  if (event.defaultPrevented || !holdsFiles(event)) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
}

/** Where documents are dropped, or chosen in a dialog. With an assistant, they are attached to it at once. */
export function DropArea({ assistantId }: { assistantId?: string }) {
  const [isOver, setIsOver] = useState(false);
  const [refusals, setRefusals] = useState<string[]>([]);
  const resetChoice = useRef<() => void>(null);
  useWindowEvent('dragover', refuseElsewhere);
  useWindowEvent('drop', refuseElsewhere);
  const take = (files: File[]) => {
    setRefusals(files.map(refused).filter((sentence) => sentence !== undefined));
    uploads.add(
      files.filter((file) => refusalOf(file) === undefined),
      assistantId,
    );
    // Or else choosing the same file again, as one that has been mended, would change nothing.
    resetChoice.current?.();
  };
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
          take([...event.dataTransfer.files]);
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
          onChange={take}
          resetRef={resetChoice}
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
