"""The task types. To add one, write its file and list it here."""

from scoring.task_types.contract import TaskType
from scoring.task_types.dialogue_quality import DIALOGUE_QUALITY
from scoring.task_types.information_extraction import INFORMATION_EXTRACTION
from scoring.task_types.intent_classification import INTENT_CLASSIFICATION
from scoring.task_types.nugget_detection import NUGGET_DETECTION
from scoring.task_types.response_generation import RESPONSE_GENERATION
from scoring.task_types.task_oriented_dialogue import TASK_ORIENTED_DIALOGUE

TASK_TYPES: dict[str, TaskType] = {
    task_type.name: task_type
    for task_type in (
        INTENT_CLASSIFICATION,
        DIALOGUE_QUALITY,
        NUGGET_DETECTION,
        INFORMATION_EXTRACTION,
        TASK_ORIENTED_DIALOGUE,
        RESPONSE_GENERATION,
    )
}
