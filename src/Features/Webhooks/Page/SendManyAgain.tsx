import { dayInMillis } from "../../../Dashboard/Parts/Day.ts"
import { Dialog } from "../../../Dashboard/Parts/Dialog.tsx"
import { TextField } from "../../../Dashboard/Parts/Field.tsx"
import { useForm } from "../../../Dashboard/Parts/Form.ts"
import { FormDialog } from "../../../Dashboard/Parts/FormDialog.tsx"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import type { DeliveryPeriod, Webhook } from "../Webhook.ts"

/** The value of a field for date and time, which is in the browser's zone. */
const localMinute = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

export const SendManyAgain = ({ onClose, webhook: { failing_since, id } }: {
  readonly webhook: Webhook
  readonly onClose: () => void
}) => {
  const send = useServiceMutation(
    (service, payload: DeliveryPeriod) => service.webhooks.redeliverAll({ params: { id }, payload }),
    ["deliveries"]
  )
  const form = useForm(
    { since: localMinute(failing_since ?? new Date(Date.now() - dayInMillis)), until: "" },
    [send],
    ({ since, until }) => send.mutate({ since: new Date(since), ...until !== "" && { until: new Date(until) } })
  )
  if (send.data) {
    const count = send.data.deliveries
    return (
      <Dialog title="Events are on their way" onClose={onClose}>
        <p>
          {count === 0
            ? "This webhook has no event of that time."
            : `${count.toLocaleString()} ${count === 1 ? "event is" : "events are"} sent once more.`}
        </p>
        <div className="dialog-actions">
          <button type="button" className="primary" onClick={onClose}>Done</button>
        </div>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="Send many events again"
      action="Send them again"
      {...form.dialog}
      onClose={onClose}
    >
      <p>
        After a receiver was away: every event of this time is sent once more with its id, also those that arrived. The
        receiver tells by the id which ones it has.
      </p>
      <TextField label="Since" type="datetime-local" required {...form.field("since")} />
      <TextField label="Until" help="Left empty: until now." type="datetime-local" {...form.field("until")} />
    </FormDialog>
  )
}
