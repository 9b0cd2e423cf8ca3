//! Which requests can no exploration serve, however long it runs?

use lazuli_reach::recipe::RecipeError;
use lazuli_vm::interp::ContractWrite;
use lazuli_vm::universe::{FieldLimitError, RegionError};

/// Why a request, or the contract that it names, must be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// There is no technique of this name.
    #[error("there is no technique {name}")]
    NoTechnique {
        /// The name as it was given.
        name: String,
        /// The techniques that there are.
        techniques: Vec<&'static str>,
    },
    /// The request names methods that make inputs, under a technique that calls none.
    #[error("the technique makes no inputs by calls")]
    NoInputsByCalls {
        /// The techniques that do.
        techniques: Vec<&'static str>,
    },
    /// The technique makes inputs by calls, and the request names no methods.
    #[error("{technique} needs methods that make inputs")]
    NoMethods {
        /// The technique of the request.
        technique: String,
    },
    /// The methods that the request names make no inputs.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A field cannot have the values that the request gives it.
    #[error(transparent)]
    Field(#[from] FieldLimitError),
    /// The regions that the request names are not there.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// The request separates parts of objects that calls make.
    #[error("calls make the objects of {class}, of whatever region")]
    RegionOfMade {
        /// The class, with dots.
        class: String,
    },
    /// The request narrows a field of objects that calls make.
    #[error("calls make the objects of {class}")]
    FieldOfMade {
        /// The field as the request names it.
        field: String,
        /// Its class, with dots.
        class: String,
    },
    /// Nothing says which objects of the class are valid.
    #[error("nothing says which objects of {class} are valid")]
    NoInvariant {
        /// The class, with dots.
        class: String,
        /// The methods that could be its invariant; none if only JML is asked for.
        methods: Vec<String>,
    },
    /// No class on the class path implements the class whose objects are asked for.
    #[error("no class implements {class}")]
    NoImplementation {
        /// The class, with dots.
        class: String,
    },
    /// Neither a list nor a circuit of the valid objects could be made.
    #[error("the valid objects could not be found")]
    NoValidObjects,
    /// A contract method changes its input.
    #[error("{method} writes to {place}", method = .0.method, place = .0.place)]
    ContractWrites(ContractWrite),
}
