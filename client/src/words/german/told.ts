import type { Told } from '../language.ts';

/**
 * Sentences of the service. What stands in braces is put in again: `{term}` is a word of the
 * interface, `{told}` another sentence, `{list}` several, and `{day}` a day.
 */
export const told: Told = {
  // Titles of problems
  'The request is not valid': 'Die Anfrage ist ungültig',
  'Missing or invalid access token': 'Das Token fehlt oder ist ungültig',
  'Administrators only': 'Nur mit Administratorrechten',
  'Leaders and administrators only': 'Nur mit Projektleitung oder Administratorrechten',
  'An event for administrators': 'Ein Ereignis für die Administration',
  'The quota is too small': 'Das Kontingent ist zu klein',
  "The month's budget is spent": 'Das Budget des Monats ist verbraucht',
  'The folder of the project is full': 'Der Ordner des Projekts ist voll',
  'Submitting is not allowed': 'Für neue Jobs gesperrt',
  'The quota has expired': 'Das Kontingent ist abgelaufen',
  'No quota in this project': 'Kein Kontingent in diesem Projekt',
  'The project has no budget': 'Das Projekt hat kein Budget',
  'Not a member any more': 'Kein Mitglied mehr',
  'No account on this HPC system': 'Kein Konto auf diesem HPC-System',
  'The project is closed': 'Das Projekt ist geschlossen',
  'Path not found': 'Pfad unbekannt',
  'Unknown HPC system': 'Unbekanntes HPC-System',
  'Unknown project': 'Unbekanntes Projekt',
  'Unknown job': 'Unbekannter Job',
  'Unknown batch': 'Unbekannter Batch',
  'Unknown file': 'Unbekannte Datei',
  'No folder of this project': 'Kein Ordner dieses Projekts',
  'Unknown quota': 'Unbekanntes Kontingent',
  'No budget': 'Kein Budget',
  'Unknown user': 'Unbekannte Person',
  'No such account': 'Kein solches Konto',
  'Unknown webhook': 'Unbekannter Webhook',
  'Unknown delivery': 'Unbekannte Zustellung',
  'The link is not valid': 'Der Link ist ungültig',
  'Unknown request': 'Unbekannter Antrag',
  'Unknown maintenance': 'Unbekannte Wartung',
  'Method not allowed': 'Methode nicht erlaubt',
  'The first request is still running': 'Die erste Anfrage läuft noch',
  'The quota is in use': 'Das Kontingent wird benutzt',
  'An awaited job has not ended well': 'Ein erwarteter Job war nicht erfolgreich',
  'Another run of the job has begun': 'Der Job läuft schon ein weiteres Mal',
  'Accounts are not used there': 'Dort werden keine Konten benutzt',
  'The quota would be too large': 'Das Kontingent würde zu groß',
  'The budget is too small': 'Das Budget ist zu klein',
  'The budget ends before that': 'Das Budget endet vorher',
  'Not all of it came from the budget': 'Nicht alles kam aus dem Budget',
  "The project is the operator's": 'Das Projekt gehört den Betreibern',
  'Upload not found': 'Upload nicht gefunden',
  'The upload is not complete': 'Der Upload ist unvollständig',
  'The upload was already used': 'Der Upload wurde schon benutzt',
  'Too much is uploaded': 'Zu viel hochgeladen',
  'Too many uploads at once': 'Zu viele Uploads zugleich',
  'Only jobs reach the folder': 'Nur Jobs erreichen den Ordner',
  'Deleting everything must be confirmed': 'Das Löschen von allem muss bestätigt werden',
  'Too many jobs at once': 'Zu viele Jobs zugleich',
  'No job has failed': 'Kein Job ist fehlgeschlagen',
  'The input was removed': 'Die Eingabe wurde entfernt',
  'No mail is sent': 'Es werden keine Mails gesendet',
  'Webhook limit reached': 'Zu viele Webhooks',
  'A request is still open': 'Ein Antrag ist noch offen',
  'Too many open requests': 'Zu viele offene Anträge',
  'The request is not open any more': 'Der Antrag ist nicht mehr offen',
  'The file is too large': 'Die Datei ist zu groß',
  'The results are too large': 'Die Ergebnisse sind zu groß',
  'The body is too large': 'Die Anfrage ist zu groß',
  'Unsupported content type': 'Dieser Inhaltstyp wird nicht unterstützt',
  'The key belongs to another request': 'Der Schlüssel gehört zu einer anderen Anfrage',
  'Too many calls in a short time': 'Zu viele Anfragen in kurzer Zeit',
  'Too many links': 'Zu viele Links',
  'Too many large files at once': 'Zu viele große Dateien zugleich',
  'Something went wrong': 'Etwas ist schiefgegangen',
  'Tokens cannot be checked': 'Token können nicht geprüft werden',
  'The HPC system is down': 'Das HPC-System ist nicht erreichbar',
  'The HPC system is busy': 'Das HPC-System ist ausgelastet',
  'The file storage is down': 'Der Dateispeicher ist nicht erreichbar',
  'The job may exist': 'Der Job existiert vielleicht schon',
  'Too many changes at once': 'Zu viele Änderungen zugleich',
  'The statement is still being drawn up': 'Der Auszug wird noch erstellt',
  'The service is down': 'Der Dienst ist nicht verfügbar',
  'The request took too long': 'Die Anfrage hat zu lange gedauert',
  'No room for more records': 'Kein Platz für weitere Einträge',

  // What happened
  '{n} parts of the request are not valid.': '{n} Angaben sind ungültig.',
  'The ledgers since that month have many lines, and the statement is still being drawn up.':
    'Seit diesem Monat gibt es viele Buchungen, und der Auszug wird noch erstellt.',
  'Send the request again; each one goes on where the one before has ended.':
    'Bitte erneut versuchen; es geht weiter, wo es aufgehört hat.',
  'Upload not found, or older than 24 hours.': 'Upload nicht gefunden oder älter als 24 Stunden.',
  'Only administrators may use this path.': 'Das geht nur mit Administratorrechten.',
  "Only leaders of the project '{p}' on '{hpc}' and administrators see its budget.":
    'Das Budget von {p} auf {hpc} sehen nur Projektleitung und Administration.',
  "Only leaders of the project '{p}' on '{hpc}' and administrators empty its folder.":
    'Den Ordner von {p} auf {hpc} leeren nur Projektleitung und Administration.',
  'Only administrators can receive {event}.': '{event} ist der Administration vorbehalten.',
  "This month's budget for {system} is too small: jobs cost about {spent} USD of {all} USD so far, and this submission could cost {cost} USD more.":
    'Das Monatsbudget für {system} reicht nicht: Bisher kosten Jobs etwa {spent} von {all} USD, und dies könnte {cost} USD mehr kosten.',
  "{system} is paused until {until}: this month's jobs cost about {spent} USD of the budget of {all} USD.":
    '{system} nimmt bis {until} keine neuen Jobs an: Die Jobs des Monats kosten etwa {spent} USD von {all} USD.',
  'It opens earlier if jobs end before their time.':
    'Es geht früher weiter, wenn Jobs vor ihrer Zeit enden.',
  'Ask for less, or wait until {until}, when the next month begins.':
    'Bitte weniger anfordern oder bis zum nächsten Monat warten ({until}).',
  'Use another system, or ask an administrator to raise the budget.':
    'Bitte ein anderes System benutzen oder die Administration um ein größeres Budget bitten.',
  "You may not submit to the project '{p}' on '{hpc}'.":
    'In {p} auf {hpc} sind neue Jobs gesperrt.',
  'You may not submit jobs.': 'Neue Jobs sind gesperrt.',
  'Reason: {reason}': 'Begründung: {reason}',
  "The quota of '{p}' on '{hpc}' was valid until {day}.":
    'Das Kontingent von {p} auf {hpc} galt bis {day}.',
  "The budget of '{p}' on '{hpc}' was valid until {day}.":
    'Das Budget von {p} auf {hpc} galt bis {day}.',
  'An administrator can extend it.': 'Die Administration kann es verlängern.',
  "You have no quota in the project '{p}' on '{hpc}'.": 'Kein Kontingent im Projekt {p} auf {hpc}.',
  "No quota in '{p}' on '{hpc}'.": 'Kein Kontingent in {p} auf {hpc}.',
  'An administrator can grant one.': 'Die Administration kann eines zuteilen.',
  "The members of the project '{p}' on '{hpc}' draw from its budget, but it has none.":
    'Mitglieder von {p} auf {hpc} nutzen das Budget des Projekts, aber es hat keines.',
  "The project '{p}' on '{hpc}' has no budget.": 'Das Projekt {p} auf {hpc} hat kein Budget.',
  'An administrator can give it one.': 'Die Administration kann eines festlegen.',
  "You are not a member of the project '{p}' on '{hpc}' any more, because your token does not have its group.":
    'Die Mitgliedschaft in {p} auf {hpc} ist beendet: Die Anmeldung gehört nicht zu seiner Gruppe.',
  'Sign in again, or ask a leader of the project.':
    'Bitte erneut anmelden oder bei der Projektleitung nachfragen.',
  'Ask a leader of the project.': 'Bitte bei der Projektleitung nachfragen.',
  'You have no account on {hpc} yet.': 'Auf {hpc} ist noch kein Konto eingetragen.',
  'Ask an administrator to add one for user {user}.':
    'Die Administration kann eines für {user} eintragen.',
  "The project '{p}' on '{hpc}' is closed and accepts no jobs.":
    'Das Projekt {p} auf {hpc} ist geschlossen und nimmt keine Jobs an.',
  'Submit to another project, or ask an administrator to open it again.':
    'Bitte ein anderes Projekt wählen oder die Administration bitten, es wieder zu öffnen.',
  "Unknown HPC system '{hpc}'.": 'Unbekanntes HPC-System „{hpc}“.',
  "Unknown project '{p}' on '{hpc}'.": 'Unbekanntes Projekt „{p}“ auf {hpc}.',
  'Batch not found here.': 'Batch nicht gefunden.',
  'File not found.': 'Datei nicht gefunden.',
  "List the job's files to see their names.": 'Die Liste der Dateien nennt ihre Namen.',
  "Unknown user '{user}'.": 'Unbekannte Person „{user}“.',
  "User '{user}' has no account on {hpc}.": '{user} hat kein Konto auf {hpc}.',
  'Webhook not found.': 'Webhook nicht gefunden.',
  'Delivery not found.': 'Zustellung nicht gefunden.',
  'Request not found.': 'Antrag nicht gefunden.',
  'List the requests to see their ids.': 'Die Liste der Anträge nennt ihre IDs.',
  '{id} on {hpc} {told}, so a job that runs after it would never run.':
    '{id} auf {hpc} {told}, ein Job danach würde also nie laufen.',
  'has failed': 'ist fehlgeschlagen',
  'was cancelled': 'wurde abgebrochen',
  'was deleted': 'wurde gelöscht',
  'is not available': 'ist nicht verfügbar',
  'Submit that one again first, or wait with after_any, which accepts any end.':
    'Bitte zuerst jenen erneut einreichen oder unabhängig vom Ergebnis warten.',
  'Submit that one again first.': 'Bitte zuerst jenen erneut einreichen.',
  'To take the results of its other jobs, set input_failed to leave_out.':
    'Die Ergebnisse der anderen lassen sich trotzdem nehmen: fehlgeschlagene auslassen.',
  "All jobs on {hpc} run as the service's own user, so accounts are not used there.":
    'Alle Jobs auf {hpc} laufen unter dem Konto des Dienstes; Konten von Personen werden dort nicht benutzt.',
  "To run each job as its owner, set runsAs to 'mapped' for this system in the catalog first.":
    'Damit Jobs unter dem eigenen Konto laufen, muss im Katalog erst runsAs auf „mapped“ stehen.',
  "The quota of '{p}' on '{hpc}' would be above {most}.":
    'Das Kontingent von {p} auf {hpc} läge über {most}.',
  'Grant less.': 'Bitte weniger zuteilen.',
  "The budget of '{p}' on '{hpc}' ends on {day}.": 'Das Budget von {p} auf {hpc} endet am {day}.',
  'Choose an earlier end, or ask an administrator to extend the budget.':
    'Bitte ein früheres Ende wählen oder die Administration bitten, das Budget zu verlängern.',
  "The project '{p}' on '{hpc}' is in the catalog of this service, so it cannot be changed here.":
    'Das Projekt {p} auf {hpc} steht im Katalog dieses Dienstes und lässt sich hier nicht ändern.',
  'Ask the operator to change the catalog, or choose another name.':
    'Bitte die Betreiber darum bitten oder einen anderen Namen wählen.',
  "Administrators have announced no window '{name}' for {hpc}.":
    'Für {hpc} ist keine Wartung „{name}“ angekündigt.',
  '{hpc} is not paused.': '{hpc} ist nicht angehalten.',
  'The file for this upload has not arrived.': 'Die Datei dieses Uploads ist nicht angekommen.',
  "Send its {n} bytes to the upload's address, then submit again.":
    'Bitte erneut hochladen ({n} Bytes) und einreichen.',
  'The file for this upload has {n} bytes, but {all} were announced.':
    'Die Datei dieses Uploads hat {n} Bytes, angekündigt waren {all}.',
  'Create a new upload with the right length.': 'Bitte erneut hochladen.',
  'Another job has already used this upload.': 'Ein anderer Job hat diesen Upload schon benutzt.',
  'Create a new one.': 'Bitte einen neuen anlegen.',
  'You have {n} unused uploads, and at most {most} are allowed.':
    'Es gibt {n} ungenutzte Uploads, höchstens {most} sind erlaubt.',
  'Submit jobs with them, or wait: each expires 24 hours after it was created.':
    'Jobs damit einreichen oder warten: Jeder Upload wird nach 24 Stunden entfernt.',
  "You have {n} active jobs in the project '{p}' on '{hpc}', and at most {most} are allowed at once.":
    '{n} Jobs in {p} auf {hpc} sind aktiv, höchstens {most} sind zugleich erlaubt.',
  'Wait until one ends, or cancel one.': 'Bitte warten, bis einer endet, oder einen abbrechen.',
  'This batch has {n} more.': 'Dieser Batch hat {n} weitere.',
  'Submit a smaller one, or wait until others end.':
    'Bitte einen kleineren einreichen oder warten, bis andere enden.',
  'No job of this batch has failed, so there is nothing to run again.':
    'Kein Job dieses Batches ist fehlgeschlagen, es gibt also nichts zu wiederholen.',
  'The input of this batch was removed.': 'Die Eingabe dieses Batches wurde entfernt.',
  'Submit the jobs with their zip again.': 'Bitte die Jobs mit ihrer ZIP-Datei neu einreichen.',
  'This service sends no mail.': 'Dieser Dienst versendet keine Mails.',
  'Ask its operator, or use a webhook.': 'Bitte die Betreiber fragen oder einen Webhook benutzen.',
  'You have {n} webhooks, and no more are allowed.': 'Mehr als {n} Webhooks sind nicht erlaubt.',
  'Delete one first.': 'Bitte zuerst einen löschen.',
  "Your request {id} for the project '{p}' on '{hpc}' is still open.":
    'Ein Antrag für {p} auf {hpc} ist noch offen.',
  'Wait for its decision, or withdraw it first.':
    'Bitte die Entscheidung abwarten oder ihn zuerst zurückziehen.',
  'You have {n} open requests, and no more are allowed.':
    'Mehr als {n} offene Anträge sind nicht erlaubt.',
  'Wait for a decision, or withdraw one.':
    'Bitte eine Entscheidung abwarten oder einen zurückziehen.',
  'The request {id} was {term} by {user} on {day}.':
    'Der Antrag wurde am {day} von {user} entschieden: {term}.',
  'Nothing was changed.': 'Es wurde nichts geändert.',
  'The file has {n} bytes, but at most {most} can be downloaded here.':
    'Die Datei hat {n} Bytes, hier lassen sich höchstens {most} herunterladen.',
  'Copy it from the HPC system itself, or have the job write smaller files.':
    'Bitte vom HPC-System selbst kopieren oder den Job kleinere Dateien schreiben lassen.',
  "There is no folder of the project '{p}' on '{hpc}', or you are not a member.":
    'Das Projekt {p} hat auf {hpc} keinen Ordner, oder die Mitgliedschaft fehlt.',
  "The folder of the project '{p}' on '{hpc}' has {n} bytes, more than the {most} that it may have.":
    'Der Ordner von {p} auf {hpc} hat {n} Bytes, erlaubt sind {most}.',
  'Delete files that nobody needs, then submit again: {path} lists them.':
    'Bitte nicht mehr benötigte Dateien löschen und erneut einreichen.',
  "Only jobs reach the folder of the project '{p}' on '{hpc}', so nothing can be downloaded or deleted here.":
    'Den Ordner von {p} auf {hpc} erreichen nur Jobs; hier lässt sich nichts herunterladen oder löschen.',
  'Submit a job that does it: the folder is {name} there.':
    'Ein Job kann das tun: Der Ordner heißt dort {name}.',
  'If it is full, the command must have {name} in it.':
    'Ist er voll, muss im Befehl {name} vorkommen.',
  "This deletes all {n} files ({size} bytes) that the members of '{p}' keep on '{hpc}', for good, and also those that jobs use now.":
    'Das löscht alle {n} Dateien ({size} Bytes) der Mitglieder von {p} auf {hpc} endgültig, auch solche, die Jobs gerade benutzen.',
  'The results have {n} bytes, but at most {most} are accepted.':
    'Die Ergebnisse haben {n} Bytes, höchstens {most} werden angenommen.',
  'Have the job delete the files that you do not need before it ends.':
    'Bitte den Job vor seinem Ende löschen lassen, was nicht gebraucht wird.',
  'The body has {n} bytes, but at most {most} are allowed.':
    'Die Anfrage hat {n} Bytes, höchstens {most} sind erlaubt.',
  'Send less.': 'Bitte weniger senden.',
  'Rate limit reached; nothing was changed.': 'Zu viele Anfragen; es wurde nichts geändert.',
  'Retry in {n} s.': 'Bitte in {n} s erneut versuchen.',
  'After {n} calls at once, {many} a second are allowed.':
    'Nach {n} Anfragen zugleich sind {many} je Sekunde erlaubt.',
  'Webhooks report changes without calling.': 'Webhooks melden Änderungen ohne Anfragen.',
  '{n} links were sent for you within a day.': 'Binnen eines Tages wurden {n} Links gesendet.',
  'Open the last one, or try again later.': 'Bitte den letzten öffnen oder es später versuchen.',
  'Too many large files are being downloaded at once.':
    'Es werden zu viele große Dateien zugleich heruntergeladen.',
  'Try again in a few minutes, or download the files one after the other.':
    'Bitte in einigen Minuten erneut versuchen oder die Dateien nacheinander herunterladen.',
  'The identity provider cannot be reached, so tokens cannot be checked.':
    'Der Identitätsanbieter ist nicht erreichbar, die Anmeldung lässt sich nicht prüfen.',
  'The HPC system cannot be reached right now.': 'Das HPC-System ist gerade nicht erreichbar.',
  'Nothing is lost.': 'Es geht nichts verloren.',
  'The HPC system does not accept this service right now.':
    'Das HPC-System nimmt diesen Dienst gerade nicht an.',
  'The HPC system accepts no more requests right now.':
    'Das HPC-System nimmt gerade keine weiteren Anfragen an.',
  'The service cannot reach its file storage.': 'Der Dateispeicher ist nicht erreichbar.',
  'The service cannot reach its database.': 'Die Datenbank ist nicht erreichbar.',
  'The service lost contact with its database while storing the job, so the job may exist.':
    'Beim Speichern des Jobs ging die Verbindung zur Datenbank verloren; vielleicht existiert er.',
  'Check your list of jobs before you submit again.':
    'Bitte vor einem neuen Versuch in der Liste der Jobs nachsehen.',
  'Too many changes to the same account at once.':
    'Zu viele Änderungen an demselben Konto zugleich.',
  'The database has no room for more records of this user.':
    'In der Datenbank ist kein Platz für weitere Einträge dieser Person.',
  'Tell the operator of the service.': 'Bitte den Betreibern melden.',
  'The request timed out but may have taken effect.':
    'Die Anfrage hat zu lange gedauert und wurde möglicherweise trotzdem ausgeführt.',
  'Check before retrying.': 'Bitte vor einem neuen Versuch nachsehen.',
  'The service failed to answer.': 'Der Dienst konnte nicht antworten.',
  'Report the request id in `instance` to the operator, who can find the cause in the log.':
    'Die Betreiber finden die Ursache mit der Nummer der Anfrage.',
  'Ask an administrator.': 'Bitte bei der Administration nachfragen.',
  'Ask an administrator for help.': 'Bitte bei der Administration nachfragen.',
  'Ask one of them.': 'Bitte dort nachfragen.',
  'Try again later.': 'Bitte später erneut versuchen.',
  'Try again in a moment.': 'Bitte gleich erneut versuchen.',

  // What only programs need to know
  "See 'errors' for each.": '',
  'GET {path} lists {what}.': '',
  'Unknown path.': 'Diesen Pfad gibt es nicht.',
  '{method} is not allowed at this path.': 'Das geht an dieser Stelle nicht.',
  'Allowed: {methods}.': '',
  'Job not found here.': 'Job nicht gefunden.',
  'To search all systems and projects, list jobs with ?job_id=...': '',
  'A valid access token is required: Authorization: Bearer <ACCESS_TOKEN>.':
    'Dafür ist eine gültige Anmeldung nötig.',
  'Remove it from events.': 'Bitte auslassen.',
  'This link is not valid any more.': 'Dieser Link gilt nicht mehr.',
  'Ask for a new one with PUT /notifications/.': 'Bitte einen neuen anfordern.',
  'Create a new one with POST /uploads/.': 'Bitte erneut hochladen.',
  'Use POST /uploads/ to send a larger file.': '',
  "If you want that, repeat it with '{confirmed}'.": '',
  'The first request with this Idempotency-Key is still running.':
    'Die erste dieser Anfragen läuft noch.',
  'This Idempotency-Key was used for a different request.':
    'Der Schlüssel dieser Anfrage gehört zu einer anderen.',
  'Use a new key for each request.': 'Bitte neu laden und erneut versuchen.',
  'Retry with the same Idempotency-Key; no duplicate is created.': '',
  'With an Idempotency-Key, a retry creates no duplicate.': '',
  'A submission with an Idempotency-Key can simply be sent again.': '',
  'Another run of this job has begun, and a job runs only once.':
    'Ein weiterer Lauf dieses Jobs hat begonnen, und ein Job läuft nur einmal.',
  'End this one.': 'Bitte diesen beenden.',
  "The content type '{type}' is not supported here.": 'Der Inhaltstyp {type} geht hier nicht.',
  "The content encoding '{type}' is not supported here.": 'Die Kodierung {type} geht hier nicht.',
  "Send the bytes of the zip as they are, with 'Content-Type: application/zip'.": '',
  'Send the bytes as they are.': '',
  'Send JSON.': '',
  'The data was written by a later release, and this one would damage it.':
    'Die Daten stammen von einer neueren Version und würden beschädigt.',
  'It does not know step {step}.': 'Der Schritt {step} ist unbekannt.',
  'Run that release, or restore a backup from before the update (docs/updating.md).':
    'Bitte jene Version benutzen oder eine Sicherung von vorher einspielen (docs/updating.md).',

  // Fields
  '{n} more parts are not valid.': '{n} weitere Angaben sind ungültig.',
  'Fix the others first.': 'Bitte zuerst die anderen korrigieren.',
  'Only the first {n} problems are listed.': 'Nur die ersten {n} Fehler sind aufgeführt.',
  'The lines after them were not checked.': 'Die Zeilen danach wurden nicht geprüft.',
  'It is damaged.': 'Ist beschädigt.',
  'It is cut off.': 'Ist abgeschnitten.',
  'It must not be empty.': 'Darf nicht leer sein.',
  'It must not be empty: say why.': 'Bitte eine Begründung angeben.',
  'It must be in the future.': 'Muss in der Zukunft liegen.',
  'It is too far in the future.': 'Liegt zu weit in der Zukunft.',
  'It must be a whole number.': 'Muss eine ganze Zahl sein.',
  'It must be a whole number from {least} to {most}.':
    'Muss eine ganze Zahl von {least} bis {most} sein.',
  'It must be at least {least}.': 'Muss mindestens {least} sein.',
  'It must be at most {most}.': 'Darf höchstens {most} sein.',
  'It must have at most {most} characters.': 'Darf höchstens {most} Zeichen haben.',
  'It must have 1 to 255 characters.': 'Muss 1 bis 255 Zeichen haben.',
  'It has {n} characters, but at most {most} are allowed.':
    'Hat {n} Zeichen, höchstens {most} sind erlaubt.',
  'It must be one of: {names}.': 'Möglich sind: {names}.',
  'It must be an amount of memory on each node, up to {most}, for example {example}.':
    'Bitte Arbeitsspeicher je Knoten angeben, höchstens {most}, etwa {example}.',
  'It must divide core_number, so that each task has the same number of cores.':
    'Die Kerne müssen sich gleichmäßig auf die Tasks verteilen lassen.',
  '{n} cores cannot be divided among {many} tasks.':
    '{n} Kerne lassen sich nicht auf {many} Tasks verteilen.',
  'No class of this system is open to your project.':
    'Keine Klasse dieses Systems steht dem Projekt offen.',
  'It is not a valid e-mail address.': 'Das ist keine gültige Mailadresse.',
  'It must be the number of a user, as text and without leading zeros.':
    'Muss eine Benutzernummer ohne führende Nullen sein.',
  'It is not a zip file.': 'Das ist keine ZIP-Datei.',
  'It is damaged or cut off.': 'Ist beschädigt oder abgeschnitten.',
  'It is damaged and cannot be unpacked.': 'Ist beschädigt und lässt sich nicht entpacken.',
  'It has {n} entries, but at most {most} are allowed.':
    'Hat {n} Einträge, höchstens {most} sind erlaubt.',
  'It has no rows.': 'Hat keine Zeilen.',
  'Each row is a job.': 'Jede Zeile ist ein Job.',
  'It is empty.': 'Ist leer.',
  'The first line names the columns.': 'Die erste Zeile nennt die Spalten.',
  'It has {size} cells, but the first line names {n} columns.':
    'Hat {size} Zellen, die erste Zeile nennt aber {n} Spalten.',

  'This period has more than {n} lines.': 'Dieser Zeitraum hat mehr als {n} Buchungen.',
  'Choose a shorter one with since and until.': 'Bitte einen kürzeren wählen.',
  'More than {n} lines are newer than this.': 'Mehr als {n} Buchungen sind neuer.',
  'Choose a later time, or follow the pages.': 'Bitte einen späteren Zeitpunkt wählen.',
  'The ledgers of this project have more than {n} lines in {month}.':
    'Dieses Projekt hat im Monat {month} mehr als {n} Buchungen.',
  'Use the report of the project and the ledgers of its quotas.':
    'Verbrauch und Buchungen der Kontingente zeigen sie einzeln.',
  'You have no job or batch {id}.': 'Kein Job oder Batch {id} vorhanden.',
  'Name what you have submitted, by its id.': 'Bitte eine eigene ID angeben.',
  'The batch has {n} jobs, and one job can take the results of at most {most}.':
    'Der Batch hat {n} Jobs; ein Job kann die Ergebnisse von höchstens {most} nehmen.',
  'Download them instead, or submit smaller batches.':
    'Bitte herunterladen oder kleinere Batches einreichen.',

  // Why a job waits
  'It may not start before a set time.': 'Er darf erst ab einer bestimmten Zeit starten.',
  'A job that was started again waits for a while.':
    'Ein Job, der erneut gestartet wird, wartet eine Weile.',
  'The results of {id} on {hpc} cannot be reached right now.':
    'Die Ergebnisse von {id} auf {hpc} sind gerade nicht erreichbar.',
  'Its input cannot be reached right now.': 'Seine Eingabe ist gerade nicht erreichbar.',
  'Waiting for {list}.': 'Wartet auf {list}.',
  '{id} ({term} on {hpc})': '{id} ({term} auf {hpc})',
  '{n} more': '{n} weitere',
  'waiting for {n} of {all} cores': 'wartet auf {n} von {all} Kernen',
  'Its inputs are fetched.': 'Seine Eingaben werden geholt.',
  '{hpc} is not answering.': '{hpc} antwortet nicht.',
  'The job will be handed over as soon as it does.': 'Der Job wird übergeben, sobald es antwortet.',
  'The HPC system has not known this job since {when}.':
    'Das HPC-System kennt diesen Job seit {when} nicht.',
  'The HPC system no longer knows this job.': 'Das HPC-System kennt diesen Job nicht mehr.',
  'The time that it ran is charged as soon as the HPC system tells it.':
    'Seine Laufzeit wird abgerechnet, sobald das HPC-System sie meldet.',
  "It has ended, and its runs are charged as soon as Slurm's accounting tells them.":
    'Er ist beendet; abgerechnet wird, sobald die Buchhaltung von Slurm seine Laufzeit meldet.',
  'The job waits until the system is resumed: {reason}':
    'Der Job wartet, bis das System fortgesetzt wird: {reason}',
  'The job waits for the maintenance from {from} to {until}: {reason}':
    'Der Job wartet auf das Ende der Wartung von {from} bis {until}: {reason}',
  'Ask for at most {n} hours to run before.': 'Mit höchstens {n} Stunden liefe er vorher.',
  'It is under way.': 'Wird gerade übergeben.',
  'It was cut off before it ended, and what became of it is not known.':
    'Wurde unterbrochen; was daraus wurde, ist nicht bekannt.',
  'The input did not reach the HPC system in time.':
    'Die Eingabe kam nicht rechtzeitig beim HPC-System an.',
  'It will be sent again.': 'Sie wird erneut gesendet.',
  'The HPC system did not answer.': 'Das HPC-System hat nicht geantwortet.',
  'It will be tried again.': 'Es wird erneut versucht.',
  'The HPC system accepts no more jobs right now.':
    'Das HPC-System nimmt gerade keine weiteren Jobs an.',
  'The HPC system does not accept the credentials of this service.':
    'Das HPC-System nimmt die Zugangsdaten dieses Dienstes nicht an.',
  'The job could not be handed over.': 'Der Job konnte nicht übergeben werden.',
  'Slurm says: {words}.': 'Slurm sagt: {words}.',
  'Slurm has reserved nodes for maintenance {span}.':
    'Slurm hat Knoten für eine Wartung reserviert ({span}).',
  'It does not start like this: cancel it and ask for less, or ask the administrators of the system.':
    'So startet er nicht: bitte abbrechen und weniger anfordern oder die Administration des Systems fragen.',
  'Its last run is being cleaned up.': 'Sein letzter Lauf wird aufgeräumt.',
  'It waits for other jobs.': 'Er wartet auf andere Jobs.',
  'It waits for other jobs, and they did not end as it needs.':
    'Er wartet auf andere Jobs, und sie endeten nicht wie verlangt.',
  'Its Slurm account may not use its partition.':
    'Sein Slurm-Konto darf die Partition nicht benutzen.',
  'No node has what it asks for.': 'Kein Knoten hat, was er anfordert.',
  'Its Slurm account is not valid.': 'Sein Slurm-Konto ist ungültig.',
  'Its quality of service is not valid.': 'Seine QOS ist ungültig.',
  'As many jobs of its batch run as may run at once.':
    'Von seinem Batch laufen so viele Jobs, wie zugleich laufen dürfen.',
  'An administrator of the system holds it back.':
    'Die Administration des Systems hält ihn zurück.',
  'It is held back on the system.': 'Er wird auf dem System zurückgehalten.',
  'It could not be launched, and an administrator must release it.':
    'Er konnte nicht gestartet werden; die Administration muss ihn freigeben.',
  'It waits for a licence.': 'Er wartet auf eine Lizenz.',
  'A node that it needs is down.': 'Ein Knoten, den er braucht, ist ausgefallen.',
  'Its partition is closed.': 'Seine Partition ist geschlossen.',
  'It waits until the partition is open again.': 'Er wartet, bis sie wieder offen ist.',
  'Its partition starts no jobs right now.': 'Seine Partition startet gerade keine Jobs.',
  'Its partition cannot run a job of this size.':
    'Seine Partition kann einen Job dieser Größe nicht ausführen.',
  'It asks for more nodes than its partition gives to a job.':
    'Er fordert mehr Knoten an, als seine Partition einem Job gibt.',
  'It asks for more time than its partition gives to a job.':
    'Er fordert mehr Zeit an, als seine Partition einem Job gibt.',
  'Other jobs come before it.': 'Andere Jobs kommen vor ihm.',
  'The nodes that it needs are down, or reserved, for example for maintenance.':
    'Die Knoten, die er braucht, sind ausgefallen oder reserviert, etwa für eine Wartung.',
  'A job that asks for less time may start earlier.':
    'Ein Job mit weniger Zeit startet vielleicht früher.',
  'Its quality of service may not be used in its partition.':
    'Seine QOS ist in der Partition nicht erlaubt.',
  'It waits for a reservation: its own has not begun, or somebody has reserved the nodes.':
    'Er wartet auf eine Reservierung: Die eigene hat nicht begonnen, oder die Knoten sind reserviert.',
  'It waits for free nodes, cores, memory or GPUs.':
    'Er wartet auf freie Knoten, Kerne, Arbeitsspeicher oder GPUs.',
  'The system puts off starting jobs right now.': 'Das System startet gerade keine Jobs.',
  'The system failed while it started the job.': 'Das System fiel aus, als es den Job startete.',
  'Its account or quality of service allows no such job.':
    'Sein Konto oder seine QOS erlaubt keinen solchen Job.',
  'The time that its account or quality of service has on the system is used up, or too little for it.':
    'Die Zeit seines Kontos oder seiner QOS auf dem System ist verbraucht oder reicht nicht.',
  'A limit of its account or quality of service is reached.':
    'Ein Limit seines Kontos oder seiner QOS ist erreicht.',
  'It starts when there is room.': 'Er startet, sobald Platz ist.',
  'The HPC system has suspended it.': 'Das HPC-System hat ihn angehalten.',
  'Its time does not go on until it is resumed.':
    'Seine Zeit läuft erst weiter, wenn er fortgesetzt wird.',
  'It was put back into the queue, by itself or by an administrator of the system.':
    'Er wurde wieder in die Warteschlange gestellt, von selbst oder von der Administration des Systems.',
  'AWS Batch has found no place for it yet: {why}.':
    'AWS Batch hat noch keinen Platz für ihn gefunden.',
  'AWS Batch took its host away and started it again.':
    'AWS Batch hat ihm den Rechner entzogen und ihn erneut gestartet.',

  // Why a job ended
  'Cancelled by its owner.': 'Selbst abgebrochen.',
  'Cancelled by an administrator: {reason}': 'Von der Administration abgebrochen: {reason}',
  'Cancelled because {id} on {hpc} {told}.': 'Abgebrochen, denn {id} auf {hpc} {told}.',
  'Cancelled because the results of {id} could not be taken over {rest}':
    'Abgebrochen, denn die Ergebnisse von {id} konnten nicht übernommen werden.',
  'Cancelled because the results of {id} cannot be its input: {why}':
    'Abgebrochen, denn die Ergebnisse von {id} können nicht seine Eingabe sein: {why}',
  'Its inputs could not be fetched and stored {rest}':
    'Seine Eingaben konnten nicht geholt werden.',
  'Its inputs cannot be stored: {why}': 'Seine Eingaben lassen sich nicht speichern: {why}',
  'The HPC system could not be asked how long it ran, so it is charged until the cancel.':
    'Das HPC-System konnte nicht nach der Laufzeit gefragt werden; abgerechnet wird bis zum Abbruch.',
  'The HPC system could not be asked how long it ran, so it is charged until it was no longer known.':
    'Das HPC-System konnte nicht nach der Laufzeit gefragt werden; abgerechnet wird, bis der Job nicht mehr bekannt war.',
  'It ran on for {n} seconds, until the HPC system could be told.':
    'Er lief {n} Sekunden weiter, bis das HPC-System erreicht wurde.',
  'What it wrote and did not send is in {folder} on the system.':
    'Was er schrieb und nicht sendete, liegt auf dem System in {folder}.',
  'The image {image} could not be fetched, so the command did not begin.':
    'Das Image {image} konnte nicht geholt werden, der Befehl wurde nicht gestartet.',
  'The job was cancelled on the system.': 'Der Job wurde auf dem System abgebrochen.',
  'The job was cancelled on AWS Batch.': 'Der Job wurde auf AWS Batch abgebrochen.',
  'The job reached its time limit.': 'Der Job hat sein Zeitlimit erreicht.',
  'The job ran out of memory.': 'Der Arbeitsspeicher reichte nicht.',
  'A node of the job failed.': 'Ein Knoten des Jobs ist ausgefallen.',
  'A node of the job did not start.': 'Ein Knoten des Jobs ist nicht gestartet.',
  'The job was stopped to make room for another one.': 'Der Job musste einem anderen weichen.',
  'The job could not end before its deadline.': 'Der Job konnte nicht vor seiner Frist enden.',
  'The job could not be launched on its nodes.':
    'Der Job konnte auf seinen Knoten nicht gestartet werden.',
  'The job could not be launched.': 'Der Job konnte nicht gestartet werden.',
  'The nodes for the job could not be prepared.':
    'Die Knoten für den Job konnten nicht vorbereitet werden.',
  'The partition of the job is gone.': 'Die Partition des Jobs gibt es nicht mehr.',
  'The job failed.': 'Der Job ist fehlgeschlagen.',
  'The job could not be started on this machine.':
    'Der Job konnte auf diesem Rechner nicht gestartet werden.',
  'The job ended with exit code {code}: {told}.': 'Der Job endete mit Exit-Code {code}: {told}.',
  "the job's directory could not be created": 'Sein Verzeichnis ließ sich nicht anlegen',
  'the input could not be fetched': 'Die Eingabe konnte nicht geholt werden',
  'an input could not be fetched; stderr says which one, and why':
    'Eine Eingabe konnte nicht geholt werden; stderr sagt, welche und warum',
  'an output could not be sent; stderr says which one, and why':
    'Eine Ausgabe konnte nicht gesendet werden; stderr sagt, welche und warum',
  'the folder of its project is full; stderr says how full':
    'Der Ordner seines Projekts ist voll; stderr sagt, wie voll',
  'the folder of its project is not there, or its account cannot write it':
    'Der Ordner seines Projekts fehlt oder ist für sein Konto nicht beschreibbar',
  'the input could not be unpacked': 'Die Eingabe konnte nicht entpackt werden',
  'the results could not be sent': 'Die Ergebnisse konnten nicht gesendet werden',
  'the results are too large to be sent': 'Die Ergebnisse sind zu groß zum Senden',
  'another run of this job has begun': 'Ein weiterer Lauf dieses Jobs hat begonnen',
  'the script of the job could not be fetched': 'Das Skript des Jobs konnte nicht geholt werden',
  'The command cannot be executed: exit code 126.':
    'Der Befehl lässt sich nicht ausführen: Exit-Code 126.',
  'The command was not found: exit code 127.': 'Der Befehl wurde nicht gefunden: Exit-Code 127.',
  'The end of stderr says why.': 'Das Ende von stderr sagt, warum.',
  'The end of stderr says which one.': 'Das Ende von stderr sagt, welcher.',
  'The command ended with exit code {code}.': 'Der Befehl endete mit Exit-Code {code}.',
  'The command was ended by {signal}.': 'Der Befehl wurde von {signal} beendet.',
  'It was stopped after the 1 second that it was granted.':
    'Er wurde nach der gewährten Sekunde gestoppt.',
  'It was stopped after the {n} seconds that it was granted.':
    'Er wurde nach den gewährten {n} Sekunden gestoppt.',
  'It was stopped because it used more memory than its {n} bytes.':
    'Er wurde gestoppt, weil er mehr Arbeitsspeicher als seine {n} Bytes brauchte.',
  'It was stopped because its files have more than {n} bytes.':
    'Er wurde gestoppt, weil seine Dateien mehr als {n} Bytes haben.',
  'It was lost.': 'Er ging verloren.',

  // Lines of the ledger
  'job submitted': 'Job eingereicht',
  'batch of 1 job submitted': 'Batch mit 1 Job eingereicht',
  'batch of {n} jobs submitted': 'Batch mit {n} Jobs eingereicht',
  'batch cancelled: {n} jobs never began': 'Batch abgebrochen: {n} Jobs begannen nie',
  'input of the batch removed': 'Eingabe des Batches entfernt',
  'job deleted': 'Job gelöscht',
  'job deleted by an administrator: {reason}': 'Job von der Administration gelöscht: {reason}',
  'first contact': 'erster Aufruf',
  'end of a quota': 'Ende eines Kontingents',
  'renewal of a quota': 'Erneuerung eines Kontingents',
  '{term} renewal of {day}': 'Erneuerung ({term}) vom {day}',
  'member by the group {group}': 'Mitglied durch die Gruppe {group}',
  'input from {id}': 'Eingabe von {id}',
  'inputs fetched by the service': 'Eingaben, die der Dienst geholt hat',
  'everything in the folder of the project was deleted':
    'alles im Ordner des Projekts wurde gelöscht',

  // Deliveries to webhooks
  'the address is not allowed: {why}': 'die Adresse ist nicht erlaubt: {why}',
  'the host name has no address': 'der Hostname hat keine Adresse',
  'the address is not public': 'die Adresse ist nicht öffentlich',
  'protocols are not switched': 'Protokolle werden nicht gewechselt',
  'redirects are not followed': 'Weiterleitungen wird nicht gefolgt',
};
