import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { Fact } from "../../../Dashboard/Parts/Fact.tsx"
import { useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import { webhookFormats } from "../../../Declared/WebhookFormat.ts"
import { standard } from "./Formats.ts"

type TextFormat = Exclude<typeof webhookFormats[number], typeof standard>

const isText = (format: typeof webhookFormats[number]): format is TextFormat => format !== standard

/** What a test sends to a webhook of the format. The standard format is no text. */
export const FormatSample = ({ format: name }: { readonly format: string }) => {
  const format = webhookFormats.filter(isText).find((each) => each === name)
  return format === undefined ? null : <Sample format={format} />
}

const Sample = ({ format }: { readonly format: TextFormat }) => {
  const { data, error } = useServiceQuery(
    ["alert_sample", format],
    ({ managedAlerts }) => managedAlerts.sample({ params: { format } })
  )
  if (error) return <ErrorNotice error={error} isRead />
  return (
    <section className="notice stack" aria-label="What arrives" aria-busy={data === undefined}>
      <strong>{data?.title ?? "What arrives"}</strong>
      {data && (
        <dl className="facts">
          {data.facts.map(({ name, value }) => <Fact key={name} name={name}>{value}</Fact>)}
          <Fact name="Button">
            {data.link.text} <span className="meta">to {data.link.url}</span>
          </Fact>
        </dl>
      )}
    </section>
  )
}
