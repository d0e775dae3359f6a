import { useState } from "react"
import { Choice } from "../../../Dashboard/Parts/Choice.tsx"
import { Confirm } from "../../../Dashboard/Parts/Confirm.tsx"
import { Dialog } from "../../../Dashboard/Parts/Dialog.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { confirming } from "../../../Dashboard/Parts/Form.ts"
import type { Dataset } from "../Declared.ts"
import { useChangeDataset, useDeleteDataset } from "./Queries.ts"

export const DatasetActions = ({ dataset, onDeleted }: {
  readonly dataset: Dataset
  readonly onDeleted: () => void
}) => {
  const [deleting, setDeleting] = useState(false)
  const change = useChangeDataset()
  const isPaused = dataset.status === "paused"
  return (
    <>
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => change.mutate({ id: dataset.id, paused: !isPaused })}
      >
        {isPaused ? "Resume" : "Pause"}
      </button>
      {dataset.status === "failed" && (
        <button
          type="button"
          className="primary"
          disabled={change.isPending}
          onClick={() => change.mutate({ id: dataset.id, paused: false })}
        >
          Try again
        </button>
      )}
      <button type="button" onClick={() => setDeleting(true)}>Delete</button>
      {deleting && <DeleteDataset dataset={dataset} onClose={() => setDeleting(false)} onDeleted={onDeleted} />}
      {change.error && (
        <Dialog title="It did not work" onClose={change.reset}>
          <ErrorNotice error={change.error} />
        </Dialog>
      )}
    </>
  )
}

const DeleteDataset = ({ dataset, onClose, onDeleted }: {
  readonly dataset: Dataset
  readonly onClose: () => void
  readonly onDeleted: () => void
}) => {
  const [files, setFiles] = useState<"keep" | "delete">("keep")
  const remove = useDeleteDataset()
  return (
    <Confirm
      title={`Delete ${dataset.name}?`}
      action={files === "keep" ? "Delete the dataset" : "Delete the dataset and its files"}
      typed={files === "delete" ? dataset.name : undefined}
      {...confirming(remove, { id: dataset.id, files: files === "delete" ? "true" : "false" }, onDeleted)}
      onClose={onClose}
    >
      <p>No more days are fetched. To stop for a while, pause it.</p>
      <Choice
        label="Files"
        name="files"
        options={[
          { value: "keep", title: "Keep the files", help: "They stay where they are." },
          { value: "delete", title: "Delete them too", help: "The source may no longer have their days." }
        ]}
        value={files}
        onChange={setFiles}
      />
    </Confirm>
  )
}
