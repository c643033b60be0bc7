import { Textarea } from '@mantine/core';
import { assistants as text } from '../../../strings/assistants.ts';
import classes from '../editor.module.css';
import type { EditedDraft } from '../use-draft.ts';

/** Settings of the SIP trunk, as JSON: they may be any object. */
export function SipSettings({ draft: { form, sip } }: { draft: EditedDraft }) {
  return (
    <Textarea
      className={classes.json}
      label={text.setting.sip_config}
      description={text.settingHint.sip_config}
      autosize
      minRows={3}
      maxRows={16}
      spellCheck={false}
      value={sip.text}
      onChange={(event) => sip.type(event.currentTarget.value)}
      error={sip.faults[0] ?? form.errors['transport.sip_config']}
      data-path="transport.sip_config"
    />
  );
}
