# Shell functions for docs/runbook.md and the pages that deploy, check and restore a deployment.
# Read it with bash, signed in to the account and region of the deployment: STAGE=prod; . docs/runbook.sh

resources() {   # resources <type>: the physical names of that type in the stacks with functions and the ones in them, with their logical ids
  local stack
  for stack in "slipway-$STAGE-"{jobs,accounts,administration,service} $(inside AWS::CloudFormation::Stack "slipway-$STAGE-service" | cut -f2); do
    inside "$1" "$stack"
  done
}

inside() {      # inside <type> <stack>: the same of one stack
  aws cloudformation list-stack-resources --stack-name "$2" --output text \
    --query "StackResourceSummaries[?ResourceType=='$1'].[LogicalResourceId,PhysicalResourceId]"
}

lambda() {      # lambda <function>: its physical name, by the beginning of its logical id, such as queuedeliveries
  resources AWS::Lambda::Function | awk -v name="^$1" '$1 ~ name {print $2}'
}

queue() {       # queue <function>: the address of its queue, likewise
  resources AWS::SQS::Queue | awk -v name="^$1" '$1 ~ name {print $2}'
}

output() {      # output data|service <name>: an output of that stack
  aws cloudformation describe-stacks --stack-name "slipway-$STAGE-$1" --output text \
    --query "Stacks[0].Outputs[?OutputKey=='$2'].OutputValue"
}

ask() {         # ask '<query>' [minutes]: a Logs Insights query over all logs of the service
  local id status=Running now
  now=$(date +%s)
  id=$(aws logs start-query --start-time $((now - ${2:-60} * 60)) --end-time "$now" --query queryId --output text \
    --query-string "SOURCE logGroups(namePrefix: ['slipway-$STAGE-']) | $1")
  while [ "$status" = Running ] || [ "$status" = Scheduled ]; do
    sleep 1
    status=$(aws logs get-query-results --query-id "$id" --query status --output text)
  done
  aws logs get-query-results --query-id "$id" --query 'results[*][*].value' --output json
}

due() {         # due <shard>: the jobs of a system that have been due for longest, such as DUE#hpc_one#0
  aws dynamodb query --table-name "$(output data TableName)" --index-name due --limit 3 \
    --key-condition-expression '#due = :shard' --expression-attribute-names '{"#due":"due"}' \
    --expression-attribute-values "{\":shard\":{\"S\":\"$1\"}}" --query 'Items[].[PK.S,SK.S,due_at.S]'
}

throttled() {   # the table and indexes of which DynamoDB refused reads or writes
  local metric
  for metric in ReadThrottleEvents WriteThrottleEvents; do
    aws cloudwatch list-metrics --namespace AWS/DynamoDB --metric-name $metric \
      --dimensions "Name=TableName,Value=$(output data TableName)" --query 'Metrics[].Dimensions'
  done
}

targets() {     # the rules of the event bus, and what they call
  local bus rule
  bus=$(output data EventBusName)
  for rule in $(aws events list-rules --event-bus-name "$bus" --query 'Rules[].Name' --output text); do
    aws events describe-rule --event-bus-name "$bus" --name "$rule" --query '[Name,State,EventPattern]' --output text
    aws events list-targets-by-rule --event-bus-name "$bus" --rule "$rule" --query 'Targets[].[Arn,DeadLetterConfig.Arn]' --output text
  done
}

readers() {     # the functions that read the table's stream, and whether they do
  local mapping
  for mapping in $(resources AWS::Lambda::EventSourceMapping | cut -f2); do
    aws lambda get-event-source-mapping --uuid "$mapping" --output text \
      --query '[UUID,FunctionArn,State,StateTransitionReason,LastProcessingResult]'
  done
}

record() {      # record <sequence number>: a change of the last 24 hours, from whichever shard of the stream has it
  local stream shard iterator found
  stream=$(aws dynamodb describe-table --table-name "$(output data TableName)" --query Table.LatestStreamArn --output text)
  for shard in $(aws dynamodbstreams describe-stream --stream-arn "$stream" --query 'StreamDescription.Shards[].ShardId' --output text); do
    iterator=$(aws dynamodbstreams get-shard-iterator --stream-arn "$stream" --shard-id "$shard" --output text \
      --shard-iterator-type AT_SEQUENCE_NUMBER --sequence-number "$1" --query ShardIterator 2> /dev/null) || continue
    found=$(TZ=UTC aws dynamodbstreams get-records --shard-iterator "$iterator" --limit 1 --output json)
    if jq -e --arg number "$1" '.Records[0].dynamodb.SequenceNumber == $number' <<< "$found" > /dev/null; then
      echo "$found"
      return
    fi
  done
  return 1
}

resend() {      # resend <queue> <function>: calls the function with each message, until none is left or one fails again
  local message
  while message=$(aws sqs receive-message --queue-url "$1" --visibility-timeout 120 --output json) && [ -n "$message" ]; do
    jq '.Messages[0].Body | fromjson' <<< "$message" > body.json
    if jq -e .DDBStreamBatchInfo body.json > /dev/null; then
      changes body.json > event.json || return 1
    else
      jq '.requestPayload // .' body.json > event.json
    fi
    aws lambda invoke --function-name "$2" --cli-binary-format raw-in-base64-out --payload file://event.json \
      --query FunctionError --output text answer.json | grep -qx None || return 1
    jq -e '(.batchItemFailures? // []) == []' answer.json > /dev/null || return 1
    aws sqs delete-message --queue-url "$1" --receipt-handle "$(jq -r '.Messages[0].ReceiptHandle' <<< "$message")"
  done
}

changes() {     # changes <file>: the changes of the stream that a message of the stream is about
  local stream shard first last iterator page
  { read -r stream; read -r shard; read -r first; read -r last; } < <(
    jq -r '.DDBStreamBatchInfo | .streamArn, .shardId, .startSequenceNumber, .endSequenceNumber' "$1")
  iterator=$(aws dynamodbstreams get-shard-iterator --stream-arn "$stream" --shard-id "$shard" --output text \
    --shard-iterator-type AT_SEQUENCE_NUMBER --sequence-number "$first" --query ShardIterator) || {
    echo "The stream has dropped the changes from $first to $last of $shard." >&2
    return 1
  }
  page=$(TZ=UTC aws dynamodbstreams get-records --shard-iterator "$iterator" --output json)
  # The CLI writes moments as text, and functions expect seconds. Numbers of changes have too many digits to compare as such.
  jq -e --arg last "$last" 'def order: [length, .];
    {Records: [.Records[] | select((.dynamodb.SequenceNumber | order) <= ($last | order))
      | .eventSource = "aws:dynamodb"
      | .dynamodb.ApproximateCreationDateTime |= if type == "string" then (sub("[.][0-9]+"; "") | sub("[+]00:00$"; "Z") | fromdate) else . end]}
    | select(.Records != [])' <<< "$page"
}

redrive() {     # redrive: sends everything again that was put aside, of all functions
  local function address
  for function in publishevents queuedeliveries countends; do
    address=$(queue "$function")
    echo "$function: $(aws sqs get-queue-attributes --queue-url "$address" --attribute-names ApproximateNumberOfMessages \
      --query Attributes.ApproximateNumberOfMessages --output text) messages"
    resend "$address" "$(lambda "$function")" || { echo "$function: a message failed again; see its errors, and the file event.json" >&2; return 1; }
  done
}
