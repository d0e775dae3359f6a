import { useState } from "react"
import { Link, useLocation } from "wouter"
import { Choice } from "../../../Dashboard/Parts/Choice.tsx"
import { TextField } from "../../../Dashboard/Parts/Field.tsx"
import { fieldErrors } from "../../../Dashboard/Parts/FieldErrors.ts"
import { FormDialog } from "../../../Dashboard/Parts/FormDialog.tsx"
import { MoreOptions } from "../../../Dashboard/Parts/MoreOptions.tsx"
import { SelectField } from "../../../Dashboard/Parts/Select.tsx"
import { useAccountResources } from "../../../Dashboard/Rights/AccountResources.ts"
import { resourceFrom, resourceNoun, resourceTitle } from "../../../Dashboard/Rights/ResourceWords.ts"
import { useConnections } from "../../../Dashboard/Service/Lists.ts"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import { type NewDataset, type ReportName, reports } from "../Declared.ts"
import { providerOf, reportWords } from "./Words.ts"

/** As long as Search Console keeps its data. Sources that keep less begin later. */
const monthsBack = 16

const firstDay = (): string => {
  const day = new Date()
  day.setUTCMonth(day.getUTCMonth() - monthsBack)
  return day.toISOString().slice(0, 10)
}

const namesIn = (text: string): ReadonlyArray<string> => text.split(",").map((name) => name.trim()).filter(Boolean)

const examples: Readonly<Record<string, string>> = {
  gsc: "sc-domain:acme.com or https://acme.com/",
  ga4: "properties/123456789",
  sitesearch: "https://acme.com/"
}

const hasFields = (report: ReportName): boolean => report === "gsc.searchanalytics" || report === "ga4.report"

export const DatasetForm = ({ onClose }: { readonly onClose: () => void }) => {
  const [, navigate] = useLocation()
  const [report, setReport] = useState<ReportName>("gsc.searchanalytics")
  const [connectionId, setConnectionId] = useState("")
  const [resource, setResource] = useState("")
  const [since, setSince] = useState(firstDay)
  const [schedule, setSchedule] = useState<"daily" | "once">("daily")
  const [name, setName] = useState("")
  const [dimensions, setDimensions] = useState("")
  const [metrics, setMetrics] = useState("")
  const provider = providerOf(report)
  const resourceLabel = provider === "ga4" ? "Property" : "Site"
  const connections = useConnections().data?.filter((each) => each.provider === provider && each.status === "active")
  const connection = connections?.find(({ id }) => id === connectionId) ??
    (connections?.length === 1 ? connections[0] : undefined)
  const listed = useAccountResources(connection)
  const resources = connection === undefined || listed.isPlaceholderData
    ? []
    : (listed.data ?? []).filter(({ allowed }) => allowed)
  const make = useServiceMutation((service, payload: NewDataset) => service.datasets.create({ payload }), ["datasets"])
  const errors = fieldErrors(make.error, [
    "connection_id",
    "resource",
    "since",
    "name",
    "dimensions",
    "metrics"
  ])
  const submit = () =>
    make.mutate({
      connection_id: connection?.id ?? "",
      report,
      resource: resourceFrom(resource.trim(), provider),
      since,
      schedule: schedule === "daily" ? "daily" : null,
      ...name.trim() !== "" && { name },
      ...hasFields(report) && dimensions.trim() !== "" && { dimensions: namesIn(dimensions) },
      ...hasFields(report) && metrics.trim() !== "" && { metrics: namesIn(metrics) }
    }, { onSuccess: ({ id }) => navigate(`/datasets/${id}`) })
  return (
    <FormDialog
      title="Make a dataset"
      action="Make the dataset"
      busy={make.isPending}
      error={errors.unplaced}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Report"
        options={reports.map((value) => ({ value, title: reportWords[value] }))}
        value={report}
        onChange={(value) => {
          const chosen = reports.find((each) => each === value)
          if (chosen === undefined) return
          setReport(chosen)
          if (providerOf(chosen) === provider) return
          setConnectionId("")
          setResource("")
        }}
      />
      <SelectField
        label="Connection"
        error={errors.of("connection_id")}
        required
        none={connections?.length === 0 ? "No active connection" : "Choose a connection"}
        options={(connections ?? []).map(({ id, label }) => ({ value: id, title: label }))}
        value={connection?.id ?? ""}
        onChange={(id) => {
          setConnectionId(id)
          setResource("")
        }}
      />
      {connections?.length === 0 && <Link href={`/connections/connect?provider=${provider}`}>Connect an account</Link>}
      {listed.error
        ? (
          // Only an admin may list what an account has.
          <TextField
            label={resourceLabel}
            help={`Such as ${examples[provider]}`}
            error={errors.of("resource")}
            required
            value={resource}
            onChange={setResource}
          />
        )
        : (
          <SelectField
            label={resourceLabel}
            error={errors.of("resource")}
            required
            none={connection === undefined
              ? "Choose a connection first"
              : listed.isFetching
              ? "Loading"
              : `Choose a ${resourceNoun(provider, 1)}`}
            options={resources.map(({ name, resource }) => ({
              value: resource,
              title: resourceTitle(resource, name)
            }))}
            value={resource}
            onChange={setResource}
          />
        )}
      <TextField
        label="From"
        help="The first day. Days before those that the source keeps are left out."
        error={errors.of("since")}
        type="date"
        required
        value={since}
        onChange={setSince}
      />
      <Choice
        label="Then"
        name="schedule"
        options={[
          { value: "daily", title: "Every day", help: "Adds each new day, and fetches days again while they change." },
          { value: "once", title: "Once", help: "Keeps the days up to now." }
        ]}
        value={schedule}
        onChange={setSchedule}
      />
      <MoreOptions
        count={hasFields(report) ? 3 : 1}
        isOpen={(["name", "dimensions", "metrics"] as const).some((field) => errors.of(field) !== undefined)}
      >
        <TextField
          label="Name"
          help="By default the report and what it is about."
          error={errors.of("name")}
          value={name}
          onChange={setName}
        />
        {hasFields(report) && (
          <>
            <TextField
              label="Dimensions"
              help="Names with commas between them. By default those that most people need."
              error={errors.of("dimensions")}
              placeholder={provider === "gsc"
                ? "query, page"
                : "landingPagePlusQueryString, sessionDefaultChannelGroup"}
              value={dimensions}
              onChange={setDimensions}
            />
            <TextField
              label="Metrics"
              help="Names with commas between them."
              error={errors.of("metrics")}
              placeholder={provider === "gsc"
                ? "clicks, impressions, ctr, position"
                : "sessions, engagedSessions, screenPageViews, keyEvents"}
              value={metrics}
              onChange={setMetrics}
            />
          </>
        )}
      </MoreOptions>
    </FormDialog>
  )
}
